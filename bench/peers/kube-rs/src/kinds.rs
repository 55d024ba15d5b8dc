use std::collections::BTreeMap;

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, LabelSelector};
use kube::CustomResource;
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Clone, Debug, Deserialize, Serialize)]
#[kube(
    group = "samplecontroller.k8s.io",
    version = "v1alpha1",
    kind = "Foo",
    namespaced,
    status = "FooStatus",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase")]
pub struct FooSpec {
    pub deployment_name: String,
    pub replicas: Option<i32>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FooStatus {
    pub available_replicas: Option<i32>,
}

#[derive(CustomResource, Clone, Debug, Default, Deserialize, Serialize)]
#[kube(
    group = "bench.kubewright.dev",
    version = "v1",
    kind = "Widget",
    namespaced,
    status = "WidgetStatus",
    schema = "disabled"
)]
#[serde(rename_all = "camelCase", default)]
pub struct WidgetSpec {
    pub image: String,
    pub replicas: i32,
    pub paused: bool,
    pub generation_seed: i64,
    pub selector: LabelSelector,
    pub ports: Vec<WidgetPort>,
    pub resources: WidgetResources,
    pub env: Vec<WidgetSetting>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct WidgetPort {
    pub name: String,
    pub port: i32,
    pub protocol: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct WidgetResources {
    pub limits: BTreeMap<String, String>,
    pub requests: BTreeMap<String, String>,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct WidgetSetting {
    pub name: String,
    pub value: String,
}

#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(rename_all = "camelCase", default)]
pub struct WidgetStatus {
    pub observed_generation: i64,
    pub ready_replicas: i32,
    pub conditions: Vec<Condition>,
}
