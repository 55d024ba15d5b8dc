import {
  controllerOf,
  type DeepReadonly,
  defineController,
  type InputOf,
  ownerReferenceTo,
  settled,
} from 'kubewright'
import { Deployment } from 'kubewright/kinds/apps/v1'
import { Foo } from '../api/foo.js'

export const fooController = defineController({
  for: Foo,
  owns: [Deployment],
  workers: 2,
  async reconcile(foo, { cache, client, events, log }) {
    const { namespace } = foo.metadata
    const { deploymentName: name, replicas = 1 } = foo.spec
    if (name === '') {
      // The Foo must change before a retry could help.
      log.error('deploymentName must be specified')
      return settled()
    }

    let deployment = cache.get(Deployment, { namespace, name })
    deployment ??= await client.create(Deployment, deploymentFor(foo))

    if (controllerOf(deployment)?.uid !== foo.metadata.uid) {
      const message = `Resource "${name}" already exists and is not managed by Foo`
      events.warning(foo, 'ErrResourceExists', message)
      throw new Error(message)
    }

    if (deployment.spec?.replicas !== replicas) {
      log.info(
        `Foo ${foo.metadata.name} replicas: ${replicas}, deployment replicas: ${deployment.spec?.replicas}`,
      )
      deployment = await client.patch(Deployment, { namespace, name }, { merge: { spec: { replicas } } })
    }

    const availableReplicas = deployment.status?.availableReplicas ?? 0
    if (foo.status?.availableReplicas !== availableReplicas) {
      await client.patchStatus(Foo, foo.metadata, { merge: { status: { availableReplicas } } })
    }
    events.normal(foo, 'Synced', 'Foo synced successfully')
    return settled()
  },
})

function deploymentFor(foo: DeepReadonly<Foo>): InputOf<typeof Deployment> {
  const labels = { app: 'nginx', controller: foo.metadata.name }
  return {
    metadata: {
      name: foo.spec.deploymentName,
      namespace: foo.metadata.namespace,
      ownerReferences: [ownerReferenceTo(foo, { controller: true, blockOwnerDeletion: true })],
    },
    spec: {
      replicas: foo.spec.replicas ?? 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: 'nginx', image: 'nginx:latest' }] },
      },
    },
  }
}
