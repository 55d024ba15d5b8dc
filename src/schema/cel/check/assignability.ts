import { type CelType, dynType, isDynType, isSameType, typeOfType } from '../value/type.js'

/** What the type variables of a program stand for. */
export class Substitutions {
  readonly #types: Map<string, CelType>
  /** What was overwritten by the attempt under way. */
  #trail: [name: string, previous: CelType | undefined][] = []

  constructor(types: Iterable<readonly [string, CelType]> = []) {
    this.#types = new Map(types)
  }

  find(type: CelType): CelType | undefined {
    return type.sort === 'param' ? this.#types.get(type.name) : undefined
  }

  /**
   * Whether every left type accepts its right one, and what the variables have to stand for then. An attempt that
   * fails leaves no trace, so an overload may be tried and dropped.
   */
  assign(left: readonly CelType[], right: readonly CelType[]): boolean {
    this.#trail = []
    if (this.#assignableList(left, right)) return true
    for (const [name, previous] of this.#trail.reverse()) {
      if (previous === undefined) this.#types.delete(name)
      else this.#types.set(name, previous)
    }
    return false
  }

  #set(variable: CelType, type: CelType): void {
    this.#trail.push([variable.name, this.#types.get(variable.name)])
    this.#types.set(variable.name, type)
  }

  /** The type with its variables replaced; with `orDyn`, variables that stand for nothing become dyn. */
  apply(type: CelType, orDyn = false): CelType {
    const found = this.find(type)
    if (found !== undefined) return this.apply(found, orDyn)
    if (type.sort === 'param') return orDyn ? dynType : type
    if (type.parameters.length === 0) return type
    const parameters = type.parameters.map((parameter) => this.apply(parameter, orDyn))
    const [only] = parameters
    return type.sort === 'type' && only !== undefined ? typeOfType(only) : { ...type, parameters }
  }

  #assignableList(left: readonly CelType[], right: readonly CelType[]): boolean {
    if (left.length !== right.length) return false
    return left.every((type, index) => {
      const other = right[index]
      return other !== undefined && this.#assignable(type, other)
    })
  }

  #assignable(left: CelType, right: CelType): boolean {
    if (right.sort === 'param') {
      const { valid, known } = this.#substitute(left, right)
      if (valid) return true
      if (known) return false
    }
    if (left.sort === 'param') return this.#substitute(right, left).valid
    if (isLoose(left) || isLoose(right)) return true
    if (left.sort === 'null') return acceptsNull(right)
    if (right.sort === 'null') return acceptsNull(left)
    switch (left.sort) {
      case 'type':
        return right.sort === 'type'
      case 'opaque':
      case 'list':
      case 'map':
        return (
          left.sort === right.sort &&
          left.name === right.name &&
          this.#assignableList(left.parameters, right.parameters)
        )
      default:
        return isSameType(left, right)
    }
  }

  #substitute(type: CelType, variable: CelType): { valid: boolean; known: boolean } {
    if (isSameType(type, variable)) return { valid: true, known: true }
    const current = this.find(variable)
    if (current !== undefined) {
      if (isSameType(type, current)) return { valid: true, known: true }
      if (!this.#assignable(type, current)) return { valid: false, known: true }
      const general = mostGeneral(type, current)
      if (!this.#refersTo(variable, general)) this.#set(variable, general)
      return { valid: true, known: true }
    }
    if (this.#refersTo(variable, type)) return { valid: false, known: false }
    this.#set(variable, type)
    return { valid: true, known: false }
  }

  #refersTo(variable: CelType, within: CelType): boolean {
    if (isSameType(variable, within)) return true
    if (within.sort === 'param') {
      const found = this.find(within)
      return found !== undefined && this.#refersTo(variable, found)
    }
    return within.parameters.some((parameter) => this.#refersTo(variable, parameter))
  }
}

function isLoose(type: CelType): boolean {
  return isDynType(type) || type.sort === 'error'
}

function acceptsNull(type: CelType): boolean {
  return ['opaque', 'struct', 'any', 'duration', 'timestamp'].includes(type.sort) || type.sort === 'null'
}

/** The one of two compatible types that says less. */
export function mostGeneral(left: CelType, right: CelType): CelType {
  return isEqualOrLessSpecific(left, right) ? left : right
}

function isEqualOrLessSpecific(left: CelType, right: CelType): boolean {
  if (isDynType(left) || left.sort === 'param') return true
  if (isDynType(right) || right.sort === 'param' || left.sort !== right.sort) return false
  if (left.sort === 'type') return true
  if (left.name !== right.name || left.parameters.length !== right.parameters.length) return false
  return left.parameters.every((parameter, index) => {
    const other = right.parameters[index]
    return other !== undefined && isEqualOrLessSpecific(parameter, other)
  })
}
