import { isPlainObject } from 'kubewright/base'
import type { Step } from './transcript.js'

// More lines than these are read by nobody: the first tell what is wrong.
const mostLines = 25
const longestValue = 600

interface Side {
  readonly name: string
  readonly steps: readonly Step[]
}

/** What two masked transcripts disagree on, first step first and that one only; undefined when they agree. */
export function firstDifference(a: Side, b: Side): string | undefined {
  const length = Math.max(a.steps.length, b.steps.length)
  for (let index = 0; index < length; index++) {
    const [left, right] = [a.steps[index], b.steps[index]]
    const lines: string[] = []
    if (left === undefined || right === undefined) {
      lines.push(`only ${left === undefined ? b.name : a.name} got this far`)
    } else {
      compare('', left.seen, right.seen, (path, x, y) => {
        lines.push(`  ${path || 'answer'}`, `    ${a.name}: ${show(x)}`, `    ${b.name}: ${show(y)}`)
      })
    }
    if (lines.length === 0) continue
    const more = lines.length > mostLines ? [`  … and ${Math.ceil((lines.length - mostLines) / 3)} more`] : []
    const step = left ?? right
    return [`step ${index + 1}: ${step?.what ?? ''}`, ...lines.slice(0, mostLines), ...more].join('\n')
  }
  return undefined
}

/** What says most comes first. */
const tellingKeys = ['status', 'message']

type Report = (path: string, left: unknown, right: unknown) => void

const absent: unique symbol = Symbol('absent')

function compare(path: string, left: unknown, right: unknown, report: Report): void {
  if (Object.is(left, right)) return
  if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.max(left.length, right.length); index++)
      compare(`${path}[${index}]`, item(left, index), item(right, index), report)
  } else if (isPlainObject(left) && isPlainObject(right)) {
    for (const key of new Set([...tellingKeys, ...Object.keys(left), ...Object.keys(right)]))
      compare(path === '' ? key : `${path}.${key}`, member(left, key), member(right, key), report)
  } else {
    report(path, left, right)
  }
}

const item = (list: readonly unknown[], index: number): unknown =>
  index < list.length ? list[index] : absent

const member = (object: Record<string, unknown>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : absent

function show(value: unknown): string {
  if (value === absent) return '(nothing)'
  const text = typeof value === 'bigint' ? String(value) : (JSON.stringify(value) ?? String(value))
  return text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text
}
