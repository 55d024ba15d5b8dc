/**
 * The fields of the server's own types of pod templates, in their order, which messages show: a type in each line. A field
 * is `Name:type`, without a name if it is embedded. Types: `s`tring, `i`nteger, `b`oolean, `q`uantity, `n` integer or text,
 * `L`abel selector, `M`etadata, or the name of a line; `*` before one that may be absent, `+` a list, `%` a map of it.
 * Taken from Kubernetes v1.36.3.
 */
export const podTypes: string = `
PodTemplateSpec :M Spec:PodSpec
PodSpec Volumes:+Volume InitContainers:+Container Containers:+Container EphemeralContainers:+EphemeralContainer RestartPolicy:s TerminationGracePeriodSeconds:*i ActiveDeadlineSeconds:*i DNSPolicy:s NodeSelector:%s ServiceAccountName:s AutomountServiceAccountToken:*b NodeName:s SecurityContext:*PodSecurityContext ImagePullSecrets:+LocalObjectReference Hostname:s Subdomain:s SetHostnameAsFQDN:*b Affinity:*Affinity SchedulerName:s Tolerations:+Toleration HostAliases:+HostAlias PriorityClassName:s Priority:*i PreemptionPolicy:*s DNSConfig:*PodDNSConfig ReadinessGates:+PodReadinessGate RuntimeClassName:*s Overhead:%q EnableServiceLinks:*b TopologySpreadConstraints:+TopologySpreadConstraint OS:*PodOS SchedulingGates:+PodSchedulingGate ResourceClaims:+PodResourceClaim Resources:*ResourceRequirements HostnameOverride:*s SchedulingGroup:*PodSchedulingGroup
Volume Name:s :VolumeSource
Container Name:s Image:s Command:+s Args:+s WorkingDir:s Ports:+ContainerPort EnvFrom:+EnvFromSource Env:+EnvVar Resources:ResourceRequirements ResizePolicy:+ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:+ContainerRestartRule VolumeMounts:+VolumeMount VolumeDevices:+VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY:b
EphemeralContainer :EphemeralContainerCommon TargetContainerName:s
PodSecurityContext HostNetwork:b HostPID:b HostIPC:b ShareProcessNamespace:*b HostUsers:*b SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b SupplementalGroups:+i SupplementalGroupsPolicy:*s FSGroup:*i FSGroupChangePolicy:*s Sysctls:+Sysctl SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile SELinuxChangePolicy:*s
LocalObjectReference Name:s
Affinity NodeAffinity:*NodeAffinity PodAffinity:*PodAffinity PodAntiAffinity:*PodAntiAffinity
Toleration Key:s Operator:s Value:s Effect:s TolerationSeconds:*i
HostAlias IP:s Hostnames:+s
PodDNSConfig Nameservers:+s Searches:+s Options:+PodDNSConfigOption
PodReadinessGate ConditionType:s
TopologySpreadConstraint MaxSkew:i TopologyKey:s WhenUnsatisfiable:s LabelSelector:*L MinDomains:*i NodeAffinityPolicy:*s NodeTaintsPolicy:*s MatchLabelKeys:+s
PodOS Name:s
PodSchedulingGate Name:s
PodResourceClaim Name:s ResourceClaimName:*s ResourceClaimTemplateName:*s
ResourceRequirements Limits:%q Requests:%q Claims:+ResourceClaim
PodSchedulingGroup PodGroupName:*s
VolumeSource HostPath:*HostPathVolumeSource EmptyDir:*EmptyDirVolumeSource GCEPersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource GitRepo:*GitRepoVolumeSource Secret:*SecretVolumeSource NFS:*NFSVolumeSource ISCSI:*ISCSIVolumeSource Glusterfs:*GlusterfsVolumeSource PersistentVolumeClaim:*PersistentVolumeClaimVolumeSource RBD:*RBDVolumeSource Quobyte:*QuobyteVolumeSource FlexVolume:*FlexVolumeSource Cinder:*CinderVolumeSource CephFS:*CephFSVolumeSource Flocker:*FlockerVolumeSource DownwardAPI:*DownwardAPIVolumeSource FC:*FCVolumeSource AzureFile:*AzureFileVolumeSource ConfigMap:*ConfigMapVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource Projected:*ProjectedVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOVolumeSource StorageOS:*StorageOSVolumeSource CSI:*CSIVolumeSource Ephemeral:*EphemeralVolumeSource Image:*ImageVolumeSource
ContainerPort Name:s HostPort:i ContainerPort:i Protocol:s HostIP:s
EnvFromSource Prefix:s ConfigMapRef:*ConfigMapEnvSource SecretRef:*SecretEnvSource
EnvVar Name:s Value:s ValueFrom:*EnvVarSource
ContainerResizePolicy ResourceName:s RestartPolicy:s
ContainerRestartRule Action:s ExitCodes:*ContainerRestartRuleOnExitCodes
VolumeMount Name:s ReadOnly:b RecursiveReadOnly:*s MountPath:s SubPath:s MountPropagation:*s SubPathExpr:s
VolumeDevice Name:s DevicePath:s
Probe :ProbeHandler InitialDelaySeconds:i TimeoutSeconds:i PeriodSeconds:i SuccessThreshold:i FailureThreshold:i TerminationGracePeriodSeconds:*i
Lifecycle PostStart:*LifecycleHandler PreStop:*LifecycleHandler StopSignal:*s
SecurityContext Capabilities:*Capabilities Privileged:*b SELinuxOptions:*SELinuxOptions WindowsOptions:*WindowsSecurityContextOptions RunAsUser:*i RunAsGroup:*i RunAsNonRoot:*b ReadOnlyRootFilesystem:*b AllowPrivilegeEscalation:*b ProcMount:*s SeccompProfile:*SeccompProfile AppArmorProfile:*AppArmorProfile
EphemeralContainerCommon Name:s Image:s Command:+s Args:+s WorkingDir:s Ports:+ContainerPort EnvFrom:+EnvFromSource Env:+EnvVar Resources:ResourceRequirements ResizePolicy:+ContainerResizePolicy RestartPolicy:*s RestartPolicyRules:+ContainerRestartRule VolumeMounts:+VolumeMount VolumeDevices:+VolumeDevice LivenessProbe:*Probe ReadinessProbe:*Probe StartupProbe:*Probe Lifecycle:*Lifecycle TerminationMessagePath:s TerminationMessagePolicy:s ImagePullPolicy:s SecurityContext:*SecurityContext Stdin:b StdinOnce:b TTY:b
SELinuxOptions User:s Role:s Type:s Level:s
WindowsSecurityContextOptions GMSACredentialSpecName:*s GMSACredentialSpec:*s RunAsUserName:*s HostProcess:*b
Sysctl Name:s Value:s
SeccompProfile Type:s LocalhostProfile:*s
AppArmorProfile Type:s LocalhostProfile:*s
NodeAffinity RequiredDuringSchedulingIgnoredDuringExecution:*NodeSelector PreferredDuringSchedulingIgnoredDuringExecution:+PreferredSchedulingTerm
PodAffinity RequiredDuringSchedulingIgnoredDuringExecution:+PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:+WeightedPodAffinityTerm
PodAntiAffinity RequiredDuringSchedulingIgnoredDuringExecution:+PodAffinityTerm PreferredDuringSchedulingIgnoredDuringExecution:+WeightedPodAffinityTerm
PodDNSConfigOption Name:s Value:*s
ResourceClaim Name:s Request:s
HostPathVolumeSource Path:s Type:*s
EmptyDirVolumeSource Medium:s SizeLimit:*q
GCEPersistentDiskVolumeSource PDName:s FSType:s Partition:i ReadOnly:b
AWSElasticBlockStoreVolumeSource VolumeID:s FSType:s Partition:i ReadOnly:b
GitRepoVolumeSource Repository:s Revision:s Directory:s
SecretVolumeSource SecretName:s Items:+KeyToPath DefaultMode:*i Optional:*b
NFSVolumeSource Server:s Path:s ReadOnly:b
ISCSIVolumeSource TargetPortal:s IQN:s Lun:i ISCSIInterface:s FSType:s ReadOnly:b Portals:+s DiscoveryCHAPAuth:b SessionCHAPAuth:b SecretRef:*LocalObjectReference InitiatorName:*s
GlusterfsVolumeSource EndpointsName:s Path:s ReadOnly:b
PersistentVolumeClaimVolumeSource ClaimName:s ReadOnly:b
RBDVolumeSource CephMonitors:+s RBDImage:s FSType:s RBDPool:s RadosUser:s Keyring:s SecretRef:*LocalObjectReference ReadOnly:b
QuobyteVolumeSource Registry:s Volume:s ReadOnly:b User:s Group:s Tenant:s
FlexVolumeSource Driver:s FSType:s SecretRef:*LocalObjectReference ReadOnly:b Options:%s
CinderVolumeSource VolumeID:s FSType:s ReadOnly:b SecretRef:*LocalObjectReference
CephFSVolumeSource Monitors:+s Path:s User:s SecretFile:s SecretRef:*LocalObjectReference ReadOnly:b
FlockerVolumeSource DatasetName:s DatasetUUID:s
DownwardAPIVolumeSource Items:+DownwardAPIVolumeFile DefaultMode:*i
FCVolumeSource TargetWWNs:+s Lun:*i FSType:s ReadOnly:b WWIDs:+s
AzureFileVolumeSource SecretName:s ShareName:s ReadOnly:b
ConfigMapVolumeSource :LocalObjectReference Items:+KeyToPath DefaultMode:*i Optional:*b
VsphereVirtualDiskVolumeSource VolumePath:s FSType:s StoragePolicyName:s StoragePolicyID:s
AzureDiskVolumeSource DiskName:s DataDiskURI:s CachingMode:*s FSType:*s ReadOnly:*b Kind:*s
PhotonPersistentDiskVolumeSource PdID:s FSType:s
ProjectedVolumeSource Sources:+VolumeProjection DefaultMode:*i
PortworxVolumeSource VolumeID:s FSType:s ReadOnly:b
ScaleIOVolumeSource Gateway:s System:s SecretRef:*LocalObjectReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b
StorageOSVolumeSource VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:*LocalObjectReference
CSIVolumeSource Driver:s ReadOnly:*b FSType:*s VolumeAttributes:%s NodePublishSecretRef:*LocalObjectReference
EphemeralVolumeSource VolumeClaimTemplate:*PersistentVolumeClaimTemplate
ImageVolumeSource Reference:s PullPolicy:s
ConfigMapEnvSource :LocalObjectReference Optional:*b
SecretEnvSource :LocalObjectReference Optional:*b
EnvVarSource FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector ConfigMapKeyRef:*ConfigMapKeySelector SecretKeyRef:*SecretKeySelector FileKeyRef:*FileKeySelector
ContainerRestartRuleOnExitCodes Operator:s Values:+i
ProbeHandler Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction GRPC:*GRPCAction
LifecycleHandler Exec:*ExecAction HTTPGet:*HTTPGetAction TCPSocket:*TCPSocketAction Sleep:*SleepAction
Capabilities Add:+s Drop:+s
NodeSelector NodeSelectorTerms:+NodeSelectorTerm
PreferredSchedulingTerm Weight:i Preference:NodeSelectorTerm
PodAffinityTerm LabelSelector:*L Namespaces:+s TopologyKey:s NamespaceSelector:*L MatchLabelKeys:+s MismatchLabelKeys:+s
WeightedPodAffinityTerm Weight:i PodAffinityTerm:PodAffinityTerm
KeyToPath Key:s Path:s Mode:*i
DownwardAPIVolumeFile Path:s FieldRef:*ObjectFieldSelector ResourceFieldRef:*ResourceFieldSelector Mode:*i
VolumeProjection Secret:*SecretProjection DownwardAPI:*DownwardAPIProjection ConfigMap:*ConfigMapProjection ServiceAccountToken:*ServiceAccountTokenProjection ClusterTrustBundle:*ClusterTrustBundleProjection PodCertificate:*PodCertificateProjection
PersistentVolumeClaimTemplate :M Spec:PersistentVolumeClaimSpec
ObjectFieldSelector APIVersion:s FieldPath:s
ResourceFieldSelector ContainerName:s Resource:s Divisor:q
ConfigMapKeySelector :LocalObjectReference Key:s Optional:*b
SecretKeySelector :LocalObjectReference Key:s Optional:*b
FileKeySelector VolumeName:s Path:s Key:s Optional:*b
ExecAction Command:+s
HTTPGetAction Path:s Port:n Host:s Scheme:s HTTPHeaders:+HTTPHeader
TCPSocketAction Port:n Host:s
GRPCAction Port:i Service:*s
SleepAction Seconds:i
NodeSelectorTerm MatchExpressions:+NodeSelectorRequirement MatchFields:+NodeSelectorRequirement
SecretProjection :LocalObjectReference Items:+KeyToPath Optional:*b
DownwardAPIProjection Items:+DownwardAPIVolumeFile
ConfigMapProjection :LocalObjectReference Items:+KeyToPath Optional:*b
ServiceAccountTokenProjection Audience:s ExpirationSeconds:i Path:s
ClusterTrustBundleProjection Name:*s SignerName:*s LabelSelector:*L Optional:*b Path:s
PodCertificateProjection SignerName:s KeyType:s MaxExpirationSeconds:*i CredentialBundlePath:s KeyPath:s CertificateChainPath:s UserAnnotations:%s
PersistentVolumeClaimSpec AccessModes:+s Selector:*L Resources:VolumeResourceRequirements VolumeName:s StorageClassName:*s VolumeMode:*s DataSource:*TypedLocalObjectReference DataSourceRef:*TypedObjectReference VolumeAttributesClassName:*s
HTTPHeader Name:s Value:s
NodeSelectorRequirement Key:s Operator:s Values:+s
VolumeResourceRequirements Limits:%q Requests:%q
TypedLocalObjectReference APIGroup:*s Kind:s Name:s
TypedObjectReference APIGroup:*s Kind:s Name:s Namespace:*s
PersistentVolumeSource GCEPersistentDisk:*GCEPersistentDiskVolumeSource AWSElasticBlockStore:*AWSElasticBlockStoreVolumeSource HostPath:*HostPathVolumeSource Glusterfs:*GlusterfsPersistentVolumeSource NFS:*NFSVolumeSource RBD:*RBDPersistentVolumeSource Quobyte:*QuobyteVolumeSource ISCSI:*ISCSIPersistentVolumeSource FlexVolume:*FlexPersistentVolumeSource Cinder:*CinderPersistentVolumeSource CephFS:*CephFSPersistentVolumeSource FC:*FCVolumeSource Flocker:*FlockerVolumeSource AzureFile:*AzureFilePersistentVolumeSource VsphereVolume:*VsphereVirtualDiskVolumeSource AzureDisk:*AzureDiskVolumeSource PhotonPersistentDisk:*PhotonPersistentDiskVolumeSource PortworxVolume:*PortworxVolumeSource ScaleIO:*ScaleIOPersistentVolumeSource Local:*LocalVolumeSource StorageOS:*StorageOSPersistentVolumeSource CSI:*CSIPersistentVolumeSource
GlusterfsPersistentVolumeSource EndpointsName:s Path:s ReadOnly:b EndpointsNamespace:*s
RBDPersistentVolumeSource CephMonitors:+s RBDImage:s FSType:s RBDPool:s RadosUser:s Keyring:s SecretRef:*SecretReference ReadOnly:b
ISCSIPersistentVolumeSource TargetPortal:s IQN:s Lun:i ISCSIInterface:s FSType:s ReadOnly:b Portals:+s DiscoveryCHAPAuth:b SessionCHAPAuth:b SecretRef:*SecretReference InitiatorName:*s
FlexPersistentVolumeSource Driver:s FSType:s SecretRef:*SecretReference ReadOnly:b Options:%s
CinderPersistentVolumeSource VolumeID:s FSType:s ReadOnly:b SecretRef:*SecretReference
CephFSPersistentVolumeSource Monitors:+s Path:s User:s SecretFile:s SecretRef:*SecretReference ReadOnly:b
AzureFilePersistentVolumeSource SecretName:s ShareName:s ReadOnly:b SecretNamespace:*s
ScaleIOPersistentVolumeSource Gateway:s System:s SecretRef:*SecretReference SSLEnabled:b ProtectionDomain:s StoragePool:s StorageMode:s VolumeName:s FSType:s ReadOnly:b
LocalVolumeSource Path:s FSType:*s
StorageOSPersistentVolumeSource VolumeName:s VolumeNamespace:s FSType:s ReadOnly:b SecretRef:*ObjectReference
CSIPersistentVolumeSource Driver:s VolumeHandle:s ReadOnly:b FSType:s VolumeAttributes:%s ControllerPublishSecretRef:*SecretReference NodeStageSecretRef:*SecretReference NodePublishSecretRef:*SecretReference ControllerExpandSecretRef:*SecretReference NodeExpandSecretRef:*SecretReference
SecretReference Name:s Namespace:s
ObjectReference Kind:s Namespace:s Name:s UID:s APIVersion:s ResourceVersion:s FieldPath:s
`
