const reference = 'LocalObjectReference'

/** Go structs that take fields from a struct inside them, which decoding errors name. `*` is for all other fields. */
const embedded: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Probe: { exec: 'ProbeHandler', httpGet: 'ProbeHandler', tcpSocket: 'ProbeHandler', grpc: 'ProbeHandler' },
  Volume: { name: '', '*': 'VolumeSource' },
  PersistentVolumeSpec: {
    capacity: '',
    accessModes: '',
    claimRef: '',
    persistentVolumeReclaimPolicy: '',
    storageClassName: '',
    mountOptions: '',
    volumeMode: '',
    nodeAffinity: '',
    volumeAttributesClassName: '',
    '*': 'PersistentVolumeSource',
  },
  EphemeralContainer: { targetContainerName: '', '*': 'EphemeralContainerCommon' },
  ConfigMapEnvSource: { name: reference },
  SecretEnvSource: { name: reference },
  ConfigMapKeySelector: { name: reference },
  SecretKeySelector: { name: reference },
  ConfigMapVolumeSource: { name: reference },
  ConfigMapProjection: { name: reference },
  SecretProjection: { name: reference },
  RuleWithOperations: { operations: '', '*': 'Rule' },
  NamedRuleWithOperations: {
    resourceNames: '',
    '*': 'RuleWithOperations.Rule',
    operations: 'RuleWithOperations',
  },
}

/** The name of the embedded struct that a field comes from; undefined for the struct's own fields. */
export function embeddedField(struct: string, field: string): string | undefined {
  const fields = embedded[struct]
  if (fields === undefined) return undefined
  const name = fields[field] ?? fields['*']
  return name === '' ? undefined : name
}
