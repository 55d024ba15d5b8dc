/**
 * Metrics of autoscaling/v2 in the form that autoscaling/v1 keeps them in, inside an annotation, and back. The keys stand
 * in the order in which the server writes them: the text is seen by users.
 *
 * @module
 */

type Json = Record<string, unknown>

function part(value: unknown, key: string): Json {
  const found = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined
  return typeof found === 'object' && found !== null ? (found as Json) : {}
}

/** Without what is not there, which the order of keys does not mind. */
function given(values: Json): Json {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== null),
  )
}

type Translation = (source: Json) => Json

function translateMetric(metric: Json, translations: Readonly<Record<string, Translation>>): Json {
  const sources = Object.entries(translations).flatMap(([key, translate]) =>
    metric[key] === undefined || metric[key] === null ? [] : [[key, translate(part(metric, key))]],
  )
  return { type: metric['type'] ?? '', ...Object.fromEntries(sources) }
}

function describedObject(reference: Json): Json {
  const { kind, name, apiVersion } = reference
  return given({ kind: kind ?? '', name: name ?? '', apiVersion })
}

const toV1Spec: Readonly<Record<string, Translation>> = {
  object: ({ describedObject: about, metric, target }) =>
    given({
      target: describedObject((about ?? {}) as Json),
      metricName: part({ metric }, 'metric')['name'] ?? '',
      targetValue: part({ target }, 'target')['value'] ?? '0',
      selector: part({ metric }, 'metric')['selector'],
      averageValue: part({ target }, 'target')['averageValue'],
    }),
  pods: (source) =>
    given({
      metricName: part(source, 'metric')['name'] ?? '',
      targetAverageValue: part(source, 'target')['averageValue'] ?? '0',
      selector: part(source, 'metric')['selector'],
    }),
  resource: (source) =>
    given({
      name: source['name'] ?? '',
      targetAverageUtilization: part(source, 'target')['averageUtilization'],
      targetAverageValue: part(source, 'target')['averageValue'],
    }),
  containerResource: (source) =>
    given({
      name: source['name'] ?? '',
      targetAverageUtilization: part(source, 'target')['averageUtilization'],
      targetAverageValue: part(source, 'target')['averageValue'],
      container: source['container'] ?? '',
    }),
  external: (source) =>
    given({
      metricName: part(source, 'metric')['name'] ?? '',
      metricSelector: part(source, 'metric')['selector'],
      targetValue: part(source, 'target')['value'],
      targetAverageValue: part(source, 'target')['averageValue'],
    }),
}

const toV2Spec: Readonly<Record<string, Translation>> = {
  object: (source) => {
    const { averageValue, targetValue } = source
    const isAverage = averageValue !== undefined && averageValue !== null
    return {
      describedObject: describedObject(part(source, 'target')),
      target: given({
        type: isAverage ? 'AverageValue' : 'Value',
        value: isAverage && (targetValue === '0' || targetValue === 0) ? undefined : targetValue,
        averageValue,
      }),
      metric: given({ name: source['metricName'] ?? '', selector: source['selector'] }),
    }
  },
  pods: (source) => ({
    metric: given({ name: source['metricName'] ?? '', selector: source['selector'] }),
    target: { type: 'AverageValue', averageValue: source['targetAverageValue'] ?? '0' },
  }),
  resource: (source) => ({ name: source['name'] ?? '', target: resourceTarget(source) }),
  containerResource: (source) => ({
    name: source['name'] ?? '',
    target: resourceTarget(source),
    container: source['container'] ?? '',
  }),
  external: (source) => {
    const { targetValue, targetAverageValue } = source
    const isValue = targetValue !== undefined && targetValue !== null
    return {
      metric: given({ name: source['metricName'] ?? '', selector: source['metricSelector'] }),
      target: given({
        type: isValue ? 'Value' : 'AverageValue',
        value: targetValue,
        averageValue: targetAverageValue,
      }),
    }
  },
}

function resourceTarget({
  targetAverageUtilization: utilization,
  targetAverageValue: averageValue,
}: Json): Json {
  const isUtilization = utilization !== undefined && utilization !== null
  return given({
    type: isUtilization ? 'Utilization' : 'AverageValue',
    averageValue,
    averageUtilization: utilization,
  })
}

const toV1Status: Readonly<Record<string, Translation>> = {
  object: (source) =>
    given({
      target: describedObject(part(source, 'describedObject')),
      metricName: part(source, 'metric')['name'] ?? '',
      currentValue: part(source, 'current')['value'] ?? '0',
      selector: part(source, 'metric')['selector'],
      averageValue: part(source, 'current')['averageValue'],
    }),
  pods: (source) =>
    given({
      metricName: part(source, 'metric')['name'] ?? '',
      currentAverageValue: part(source, 'current')['averageValue'] ?? '0',
      selector: part(source, 'metric')['selector'],
    }),
  resource: (source) =>
    given({
      name: source['name'] ?? '',
      currentAverageUtilization: part(source, 'current')['averageUtilization'],
      currentAverageValue: part(source, 'current')['averageValue'] ?? '0',
    }),
  containerResource: (source) =>
    given({
      name: source['name'] ?? '',
      currentAverageUtilization: part(source, 'current')['averageUtilization'],
      currentAverageValue: part(source, 'current')['averageValue'] ?? '0',
      container: source['container'] ?? '',
    }),
  external: (source) =>
    given({
      metricName: part(source, 'metric')['name'] ?? '',
      metricSelector: part(source, 'metric')['selector'],
      currentValue: part(source, 'current')['value'] ?? '0',
      currentAverageValue: part(source, 'current')['averageValue'],
    }),
}

const toV2Status: Readonly<Record<string, Translation>> = {
  object: (source) => ({
    metric: given({ name: source['metricName'] ?? '', selector: source['selector'] }),
    current: given({ value: source['currentValue'], averageValue: source['averageValue'] }),
    describedObject: describedObject(part(source, 'target')),
  }),
  pods: (source) => ({
    metric: given({ name: source['metricName'] ?? '', selector: source['selector'] }),
    current: given({ averageValue: source['currentAverageValue'] }),
  }),
  resource: (source) => ({ name: source['name'] ?? '', current: resourceCurrent(source) }),
  containerResource: (source) => ({
    name: source['name'] ?? '',
    current: resourceCurrent(source),
    container: source['container'] ?? '',
  }),
  external: (source) => ({
    metric: given({ name: source['metricName'] ?? '', selector: source['metricSelector'] }),
    current: given({ value: source['currentValue'], averageValue: source['currentAverageValue'] }),
  }),
}

function resourceCurrent(source: Json): Json {
  return given({
    averageValue: source['currentAverageValue'],
    averageUtilization: source['currentAverageUtilization'],
  })
}

/** A metric of the second version in the form of the first. */
export function metricToV1(metric: Json): Json {
  return translateMetric(metric, toV1Spec)
}

/** A metric of the first version in the form of the second. */
export function metricToV2(metric: Json): Json {
  return translateMetric(metric, toV2Spec)
}

export function metricStatusToV1(metric: Json): Json {
  return translateMetric(metric, toV1Status)
}

export function metricStatusToV2(metric: Json): Json {
  return translateMetric(metric, toV2Status)
}

const behaviorKeys = [
  ['ScaleUp', 'scaleUp'],
  ['ScaleDown', 'scaleDown'],
] as const
const rulesKeys = [
  ['StabilizationWindowSeconds', 'stabilizationWindowSeconds'],
  ['SelectPolicy', 'selectPolicy'],
  ['Policies', 'policies'],
  ['Tolerance', 'tolerance'],
] as const

/** The behaviour as the annotation has it: with the field names of the server's own type. */
export function behaviorToAnnotation(behavior: Json): Json {
  return Object.fromEntries(
    behaviorKeys.map(([go, key]) => {
      const rules = behavior[key]
      return [go, rules === undefined || rules === null ? null : rulesToAnnotation(rules as Json)]
    }),
  )
}

function rulesToAnnotation(rules: Json): Json {
  return Object.fromEntries(
    rulesKeys.map(([go, key]) => {
      const value = rules[key] ?? null
      if (key !== 'policies' || !Array.isArray(value)) return [go, value]
      return [
        go,
        value.map(({ type, value: count, periodSeconds }: Json) => ({
          Type: type,
          Value: count,
          PeriodSeconds: periodSeconds,
        })),
      ]
    }),
  )
}

/** Back from the annotation; Go reads field names whatever their case. */
export function behaviorFromAnnotation(annotation: Json): Json | undefined {
  const lowered = lowerKeys(annotation, ['ScaleUp', 'ScaleDown'])
  const behavior = given(lowered)
  for (const [, key] of behaviorKeys) {
    if (behavior[key] === undefined) continue
    const rules = given(
      lowerKeys(
        behavior[key] as Json,
        rulesKeys.map(([go]) => go),
      ),
    )
    if (Array.isArray(rules['policies']))
      rules['policies'] = rules['policies'].map((policy: Json) =>
        lowerKeys(policy, ['Type', 'Value', 'PeriodSeconds']),
      )
    behavior[key] = rules
  }
  return Object.keys(behavior).length === 0 ? undefined : behavior
}

function lowerKeys(value: Json, names: readonly string[]): Json {
  const entries = Object.entries(value).flatMap(([key, member]) => {
    const name = names.find((candidate) => candidate.toLowerCase() === key.toLowerCase())
    return name === undefined ? [] : [[`${name.charAt(0).toLowerCase()}${name.slice(1)}`, member]]
  })
  return Object.fromEntries(entries)
}
