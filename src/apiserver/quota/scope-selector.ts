import type { ScopeSelector } from './evaluator.js'

/** Whether something that has this name, or none, is what a scope selects. */
export function selectsName({ operator, values = [] }: ScopeSelector, name: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return name !== undefined && values.includes(name)
    case 'NotIn':
      return name === undefined || !values.includes(name)
    case 'Exists':
      return name !== undefined
    default:
      return name === undefined
  }
}
