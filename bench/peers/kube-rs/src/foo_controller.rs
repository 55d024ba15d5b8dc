use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use kube::api::{Patch, PatchParams, PostParams};
use kube::runtime::controller::{Action, Config, Controller};
use kube::runtime::reflector::{self, ObjectRef, Store};
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, Resource, ResourceExt};
use serde_json::json;

use crate::kinds::Foo;
use crate::protocol;

struct Context {
    client: Client,
    deployments: Store<Deployment>,
}

/// Reconciles until the process ends. The Deployments are watched once, for their owners and for the store.
pub async fn run(client: Client) {
    let (deployments, writer) = reflector::store();
    let owned = watcher(api::<Deployment>(&client), watcher::Config::default())
        .default_backoff()
        .reflect(writer)
        .touched_objects();
    let workers = protocol::number("BENCH_WORKERS", 10);
    let controller = Controller::new(api::<Foo>(&client), watcher::Config::default())
        .with_config(Config::default().concurrency(workers))
        .owns_stream(owned);
    let foos = controller.store();
    println!("init");
    protocol::serve(move || foos.len());
    controller
        .run(
            reconcile,
            retry,
            Arc::new(Context {
                client,
                deployments,
            }),
        )
        .for_each(|_| async {})
        .await;
}

fn api<K>(client: &Client) -> Api<K>
where
    K: Resource<DynamicType = (), Scope = k8s_openapi::NamespaceResourceScope>,
{
    match protocol::text("BENCH_NAMESPACE") {
        Some(namespace) => Api::namespaced(client.clone(), &namespace),
        None => Api::all(client.clone()),
    }
}

fn retry(_: Arc<Foo>, error: &kube::Error, _: Arc<Context>) -> Action {
    if !matches!(error, kube::Error::Api(status) if status.code == 409) {
        eprintln!("{error}");
    }
    Action::requeue(Duration::from_millis(100))
}

async fn reconcile(foo: Arc<Foo>, context: Arc<Context>) -> Result<Action, kube::Error> {
    let namespace = foo.namespace().unwrap_or_default();
    let name = &foo.spec.deployment_name;
    let api: Api<Deployment> = Api::namespaced(context.client.clone(), &namespace);
    let mut deployment = match context
        .deployments
        .get(&ObjectRef::new(name).within(&namespace))
    {
        Some(found) => found,
        None => Arc::new(
            api.create(&PostParams::default(), &deployment_for(&foo))
                .await?,
        ),
    };
    if foo.spec.replicas.is_some() && foo.spec.replicas != deployment.spec.replicas {
        let change = Patch::Merge(json!({ "spec": { "replicas": foo.spec.replicas } }));
        deployment = Arc::new(api.patch(name, &PatchParams::default(), &change).await?);
    }
    let available = deployment
        .status
        .as_ref()
        .and_then(|status| status.available_replicas)
        .unwrap_or(0);
    if foo
        .status
        .as_ref()
        .and_then(|status| status.available_replicas)
        != Some(available)
    {
        let change = Patch::Merge(json!({ "status": { "availableReplicas": available } }));
        Api::<Foo>::namespaced(context.client.clone(), &namespace)
            .patch_status(&foo.name_any(), &PatchParams::default(), &change)
            .await?;
    }
    protocol::reconciled();
    Ok(Action::await_change())
}

fn deployment_for(foo: &Foo) -> Deployment {
    let labels = json!({ "app": "nginx", "controller": foo.name_any() });
    serde_json::from_value(json!({
        "metadata": {
            "name": foo.spec.deployment_name,
            "namespace": foo.namespace(),
            "ownerReferences": [foo.controller_owner_ref(&())],
        },
        "spec": {
            "replicas": foo.spec.replicas,
            "selector": { "matchLabels": labels },
            "template": {
                "metadata": { "labels": labels },
                "spec": { "containers": [{ "name": "nginx", "image": "nginx:latest" }] },
            },
        },
    }))
    .expect("a Deployment")
}
