import type { CallCost, FunctionDeclaration, Implementation, Overload } from '../check/declaration.js'
import { type CelType, listTypeOf, mapTypeOf, typeParameter } from '../value/type.js'

/** A type variable of signatures. */
export const paramA: CelType = typeParameter('A')
/** Another type variable of signatures. */
export const paramB: CelType = typeParameter('B')
/** Lists of whatever `A` is. */
export const listOfA: CelType = listTypeOf(paramA)
/** Maps of whatever `A` and `B` are. */
export const mapOfAToB: CelType = mapTypeOf(paramA, paramB)

type Extras = Pick<Overload, 'nonStrict' | 'cost' | 'stopsEarly'>

/** `name(parameters) -> result`. */
export function overload(
  id: string,
  parameters: readonly CelType[],
  result: CelType,
  run?: Implementation | (Extras & { run?: Implementation }),
): Overload {
  return { id, parameters, result, ...(typeof run === 'function' ? { run } : run) }
}

/** `parameters[0].name(parameters[1], ...) -> result`. */
export function member(...args: Parameters<typeof overload>): Overload {
  return { ...overload(...args), member: true }
}

/** A function with one implementation per overload. */
export function declare(
  name: string,
  overloads: readonly Overload[],
  extras?: { cost?: CallCost; unguarded?: boolean; shared?: FunctionDeclaration['shared'] },
): FunctionDeclaration {
  return { name, overloads, ...withoutUndefined(extras) }
}

function withoutUndefined(
  extras: { cost?: CallCost; unguarded?: boolean; shared?: FunctionDeclaration['shared'] } = {},
): Omit<FunctionDeclaration, 'name' | 'overloads'> {
  const { cost, unguarded, shared } = extras
  return {
    ...(cost === undefined ? {} : { cost }),
    ...(unguarded === undefined ? {} : { unguarded }),
    ...(shared === undefined ? {} : { shared }),
  }
}
