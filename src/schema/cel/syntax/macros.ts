import type { CelValue } from '../value/value.js'
import type { Expr, FoldExpr } from './ast.js'
import type { Issue } from './source.js'

/** Thrown by a macro that cannot make sense of its arguments. The parser turns it into an issue. */
export class MacroError extends Error {
  readonly issue: Issue

  constructor(at: Expr, message: string) {
    super(message)
    this.name = 'MacroError'
    this.issue = { offset: at.offset, message }
  }
}

/** The name that no program can write: the accumulator of comprehensions. */
export const accumulator = '@result'
const unusedVariable = '#unused'
const sortInput = '@__sortBy_input__'

interface MacroCall {
  readonly name: string
  readonly target: Expr | undefined
  readonly args: readonly Expr[]
  readonly offset: number
}

type Expand = (build: Builder, call: ReceiverCall) => Expr

interface ReceiverCall {
  readonly target: Expr
  readonly args: readonly Expr[]
}

/** Makes nodes that stand at the place of the macro's call. */
class Builder {
  readonly offset: number

  constructor(offset: number) {
    this.offset = offset
  }

  literal(value: CelValue): Expr {
    return { node: 'literal', offset: this.offset, value }
  }

  ident(name: string): Expr {
    return { node: 'ident', offset: this.offset, name }
  }

  accu(): Expr {
    return this.ident(accumulator)
  }

  call(name: string, ...args: Expr[]): Expr {
    return { node: 'call', offset: this.offset, name, target: undefined, args }
  }

  member(name: string, target: Expr, ...args: Expr[]): Expr {
    return { node: 'call', offset: this.offset, name, target, args }
  }

  list(...elements: Expr[]): Expr {
    return { node: 'list', offset: this.offset, elements, optional: new Set() }
  }

  emptyMap(): Expr {
    return { node: 'map', offset: this.offset, entries: [] }
  }

  fold(parts: Omit<FoldExpr, 'node' | 'offset' | 'accuVar'> & { accuVar?: string }): Expr {
    return { node: 'fold', offset: this.offset, accuVar: accumulator, ...parts }
  }

  /** `value` under a name inside `body`: a loop that never runs. */
  bind(name: string, value: Expr, body: Expr): Expr {
    return this.fold({
      range: this.list(),
      iterVar: unusedVariable,
      iterVar2: undefined,
      accuVar: name,
      accuInit: value,
      condition: this.literal(false),
      step: this.ident(name),
      result: body,
    })
  }
}

interface Variables {
  readonly iterVar: string
  readonly iterVar2: string | undefined
}

function variableName(argument: Expr | undefined, message: string): string {
  if (argument?.node === 'ident') {
    if (argument.name !== accumulator && argument.name !== '__result__') return argument.name
    throw new MacroError(argument, 'iteration variable overwrites accumulator variable')
  }
  throw new MacroError(argument ?? missingArgument, message)
}

const missingArgument: Expr = { node: 'literal', offset: -1, value: null }

function variables(args: readonly Expr[], count: 1 | 2, message: string): Variables {
  const iterVar = variableName(args[0], message)
  if (count === 1) return { iterVar, iterVar2: undefined }
  const iterVar2 = variableName(args[1], message)
  if (iterVar === iterVar2 && args[1] !== undefined)
    throw new MacroError(args[1], `duplicate variable name: ${iterVar}`)
  return { iterVar, iterVar2 }
}

function argument(args: readonly Expr[], index: number): Expr {
  return args[index] ?? missingArgument
}

const simpleName = 'argument must be a simple name'

function quantifier(kind: 'all' | 'exists' | 'one', count: 1 | 2): Expand {
  return (build, { target, args }) => {
    const names = variables(args, count, simpleName)
    const predicate = argument(args, count)
    const shared = { range: target, ...names }
    switch (kind) {
      case 'all':
        return build.fold({
          ...shared,
          accuInit: build.literal(true),
          condition: build.call('@not_strictly_false', build.accu()),
          step: build.call('_&&_', build.accu(), predicate),
          result: build.accu(),
        })
      case 'exists':
        return build.fold({
          ...shared,
          accuInit: build.literal(false),
          condition: build.call('@not_strictly_false', build.call('!_', build.accu())),
          step: build.call('_||_', build.accu(), predicate),
          result: build.accu(),
        })
      case 'one': {
        const next = build.call('_+_', build.accu(), build.literal(1n))
        return build.fold({
          ...shared,
          accuInit: build.literal(0n),
          condition: build.literal(true),
          step: build.call('_?_:_', predicate, next, build.accu()),
          result: build.call('_==_', build.accu(), build.literal(1n)),
        })
      }
    }
  }
}

/** A loop that takes every element (that passes the filter) one step further. */
function collect(
  build: Builder,
  parts: { range: Expr; names: Variables; init: Expr; filter: Expr | undefined; step: Expr },
): Expr {
  const { range, names, init, filter, step } = parts
  return build.fold({
    range,
    ...names,
    accuInit: init,
    condition: build.literal(true),
    step: filter === undefined ? step : build.call('_?_:_', filter, step, build.accu()),
    result: build.accu(),
  })
}

const mapMacro: Expand = (build, { target, args }) => {
  const names = variables(args, 1, 'argument is not an identifier')
  const filter = args.length === 3 ? args[1] : undefined
  const step = build.call('_+_', build.accu(), build.list(argument(args, args.length - 1)))
  return collect(build, { range: target, names, init: build.list(), filter, step })
}

const filterMacro: Expand = (build, { target, args }) => {
  const names = variables(args, 1, 'argument is not an identifier')
  const step = build.call('_+_', build.accu(), build.list(argument(args, 0)))
  return collect(build, { range: target, names, init: build.list(), filter: args[1], step })
}

function transform(into: 'list' | 'map' | 'entries'): Expand {
  return (build, { target, args }) => {
    const names = variables(args, 2, simpleName)
    const filter = args.length === 4 ? args[2] : undefined
    const value = argument(args, args.length - 1)
    const init = into === 'list' ? build.list() : build.emptyMap()
    const step =
      into === 'list'
        ? build.call('_+_', build.accu(), build.list(value))
        : into === 'map'
          ? build.call('cel.@mapInsert', build.accu(), build.ident(names.iterVar), value)
          : build.call('cel.@mapInsert', build.accu(), value)
    return collect(build, { range: target, names, init, filter, step })
  }
}

function optionalMap(name: 'optMap' | 'optFlatMap'): Expand {
  return (build, { target, args }) => {
    const variable = argument(args, 0)
    if (variable.node !== 'ident')
      throw new MacroError(variable, `${name}() variable name must be a simple identifier`)
    const bound = build.bind(variable.name, build.member('value', target), argument(args, 1))
    return build.call(
      '_?_:_',
      build.member('hasValue', target),
      name === 'optMap' ? build.call('optional.of', bound) : bound,
      build.call('optional.none'),
    )
  }
}

const sortByMacro: Expand = (build, { target, args }) => {
  if (target.node === 'literal' || target.node === 'map' || target.node === 'struct') {
    throw new MacroError(
      target,
      'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    )
  }
  const keys = mapMacro(build, { target: build.ident(sortInput), args })
  return build.bind(sortInput, target, build.member('@sortByAssociatedKeys', build.ident(sortInput), keys))
}

const receiverMacros: ReadonlyMap<string, Expand> = new Map<string, Expand>([
  ['all:2', quantifier('all', 1)],
  ['all:3', quantifier('all', 2)],
  ['exists:2', quantifier('exists', 1)],
  ['exists:3', quantifier('exists', 2)],
  ['exists_one:2', quantifier('one', 1)],
  ['exists_one:3', quantifier('one', 2)],
  ['existsOne:2', quantifier('one', 1)],
  ['existsOne:3', quantifier('one', 2)],
  ['map:2', mapMacro],
  ['map:3', mapMacro],
  ['filter:2', filterMacro],
  ['transformList:3', transform('list')],
  ['transformList:4', transform('list')],
  ['transformMap:3', transform('map')],
  ['transformMap:4', transform('map')],
  ['transformMapEntry:3', transform('entries')],
  ['transformMapEntry:4', transform('entries')],
  ['optMap:2', optionalMap('optMap')],
  ['optFlatMap:2', optionalMap('optFlatMap')],
  ['sortBy:2', sortByMacro],
])

/** What a call becomes if it is a macro. Throws {@link MacroError} for arguments that the macro does not take. */
export function expandMacro(call: MacroCall): Expr | undefined {
  if (call.target === undefined) {
    if (call.name !== 'has' || call.args.length !== 1) return undefined
    const selection = argument(call.args, 0)
    if (selection.node !== 'select' || selection.testOnly)
      throw new MacroError(selection, 'invalid argument to has() macro')
    return { ...selection, offset: call.offset, testOnly: true }
  }
  const expand = receiverMacros.get(`${call.name}:${call.args.length}`)
  return expand?.(new Builder(call.offset), { target: call.target, args: call.args })
}
