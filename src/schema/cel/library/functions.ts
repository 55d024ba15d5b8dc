import { type FunctionTable, functionTable } from '../check/declaration.js'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  intType,
  listTypeOf,
  mapTypeOf,
  nullType,
  opaqueType,
  stringType,
  timestampType,
  typeParameter,
  typeType,
  uintType,
} from '../value/type.js'
import { arithmetic } from './arithmetic.js'
import { conversions } from './conversions.js'
import { stringFormat } from './format-values.js'
import { kubernetesLists } from './kubernetes-lists.js'
import { listExtension } from './list-extension.js'
import { namedFormats } from './named-formats.js'
import { network, networkTypes } from './network.js'
import { operators } from './operators.js'
import { mapInsert, optionals } from './optionals.js'
import { quantities } from './quantity.js'
import { type Patterns, regexFunctions } from './regex.js'
import { semvers } from './semver.js'
import { sets } from './sets.js'
import { strings } from './strings.js'
import { timeGetters } from './time-getters.js'
import { urls } from './urls.js'

/**
 * All that rules of a CRD may call on a 1.36 server. What other hosts of CEL offer beyond it (`cel.bind`, `math`,
 * `base64`) is not declared there either.
 */
export function kubernetesFunctions(patterns: Patterns): FunctionTable {
  return functionTable([
    ...operators,
    ...arithmetic,
    ...conversions,
    ...strings,
    stringFormat,
    ...regexFunctions(patterns),
    ...timeGetters,
    ...kubernetesLists,
    ...listExtension,
    ...sets,
    ...optionals,
    mapInsert,
    ...urls,
    ...quantities,
    ...network,
    ...semvers,
    ...namedFormats,
  ])
}

/** The types that a program may name, as in `type(self.port) == int`. */
export function namedTypes(): ReadonlyMap<string, CelType> {
  const types = [
    boolType,
    bytesType,
    doubleType,
    durationType,
    intType,
    listTypeOf(typeParameter('A')),
    mapTypeOf(typeParameter('A'), typeParameter('B')),
    nullType,
    stringType,
    timestampType,
    typeType,
    uintType,
    opaqueType('optional_type'),
    ...networkTypes,
  ]
  return new Map([
    ...types.map((type) => [type.name, type] as const),
    ['duration', durationType],
    ['timestamp', timestampType],
  ])
}
