import type { FunctionDeclaration, Overload } from '../check/declaration.js'
import { readingCost } from '../plan/cost.js'
import { boolType, type CelType, doubleType, intType, stringType } from '../value/type.js'
import { type CelValue, failure, noSuchOverload } from '../value/value.js'
import { compareQuantities, parseQuantity, Quantity, quantityType } from './quantity-value.js'
import { declare, member, overload } from './signature.js'

function unary(id: string, result: CelType, run: (quantity: Quantity) => CelValue): Overload {
  return member(id, [quantityType], result, ([quantity]) =>
    quantity instanceof Quantity ? run(quantity) : noSuchOverload(),
  )
}

function binary(id: string, result: CelType, run: (left: Quantity, right: Quantity) => CelValue): Overload {
  return member(id, [quantityType, quantityType], result, ([left, right]) =>
    left instanceof Quantity && right instanceof Quantity ? run(left, right) : noSuchOverload(),
  )
}

function withInt(id: string, sign: 1n | -1n): Overload {
  return member(id, [quantityType, intType], quantityType, ([left, right]) => {
    if (!(left instanceof Quantity) || typeof right !== 'bigint') return noSuchOverload()
    return left.plus(new Quantity({ mantissa: right, exponent: 0 }, true, 'exponent'), sign)
  })
}

/** Resource quantities: `quantity('1.5Gi').isLessThan(quantity('2Gi'))`. */
export const quantities: readonly FunctionDeclaration[] = [
  declare(
    'quantity',
    [
      overload('string_to_quantity', [stringType], quantityType, ([text]) => {
        if (typeof text !== 'string') return noSuchOverload()
        const quantity = parseQuantity(text)
        return typeof quantity === 'string' ? failure(quantity) : quantity
      }),
    ],
    { cost: readingCost() },
  ),
  declare(
    'isQuantity',
    [
      overload('is_quantity_string', [stringType], boolType, ([text]) =>
        typeof text === 'string' ? parseQuantity(text) instanceof Quantity : noSuchOverload(),
      ),
    ],
    { cost: readingCost() },
  ),
  // The server declares `sign` as a plain function: `sign(q)`, not `q.sign()`.
  declare('sign', [
    overload('quantity_sign', [quantityType], intType, ([quantity]) => {
      if (!(quantity instanceof Quantity)) return noSuchOverload()
      const { mantissa } = quantity.amount
      return mantissa < 0n ? -1n : mantissa > 0n ? 1n : 0n
    }),
  ]),
  declare('isGreaterThan', [
    binary('quantity_is_greater_than', boolType, (left, right) => compareQuantities(left, right) === 1),
  ]),
  declare('isLessThan', [
    binary('quantity_is_less_than', boolType, (left, right) => compareQuantities(left, right) === -1),
  ]),
  declare('compareTo', [
    binary('quantity_compare_to', intType, (left, right) => BigInt(compareQuantities(left, right))),
  ]),
  declare('asApproximateFloat', [unary('quantity_get_float', doubleType, (quantity) => quantity.asDouble())]),
  declare('asInteger', [
    unary(
      'quantity_get_int',
      intType,
      (quantity) => quantity.asInteger() ?? failure('cannot convert value to integer'),
    ),
  ]),
  declare('isInteger', [
    unary('quantity_is_integer', boolType, (quantity) => quantity.asInteger() !== undefined),
  ]),
  declare('add', [
    binary('quantity_add', quantityType, (left, right) => left.plus(right, 1n)),
    withInt('quantity_add_int', 1n),
  ]),
  declare('sub', [
    binary('quantity_sub', quantityType, (left, right) => left.plus(right, -1n)),
    withInt('quantity_sub_int', -1n),
  ]),
]
