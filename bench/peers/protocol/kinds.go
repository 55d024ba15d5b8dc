package protocol

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	FooVersion    = schema.GroupVersion{Group: "samplecontroller.k8s.io", Version: "v1alpha1"}
	WidgetVersion = schema.GroupVersion{Group: "bench.kubewright.dev", Version: "v1"}
)

// AddToScheme registers both kinds.
func AddToScheme(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(FooVersion, &Foo{}, &FooList{})
	scheme.AddKnownTypes(WidgetVersion, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, FooVersion)
	metav1.AddToGroupVersion(scheme, WidgetVersion)
	return nil
}

type Foo struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              FooSpec   `json:"spec"`
	Status            FooStatus `json:"status,omitempty"`
}

type FooSpec struct {
	DeploymentName string `json:"deploymentName"`
	Replicas       *int32 `json:"replicas,omitempty"`
}

type FooStatus struct {
	AvailableReplicas *int32 `json:"availableReplicas,omitempty"`
}

type FooList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []Foo `json:"items"`
}

func (foo *Foo) DeepCopyInto(into *Foo) {
	*into = *foo
	foo.ObjectMeta.DeepCopyInto(&into.ObjectMeta)
	into.Spec.Replicas = copied(foo.Spec.Replicas)
	into.Status.AvailableReplicas = copied(foo.Status.AvailableReplicas)
}

func (foo *Foo) DeepCopyObject() runtime.Object {
	into := &Foo{}
	foo.DeepCopyInto(into)
	return into
}

func (list *FooList) DeepCopyObject() runtime.Object {
	into := &FooList{TypeMeta: list.TypeMeta, Items: make([]Foo, len(list.Items))}
	list.ListMeta.DeepCopyInto(&into.ListMeta)
	for at := range list.Items {
		list.Items[at].DeepCopyInto(&into.Items[at])
	}
	return into
}

func copied[T any](value *T) *T {
	if value == nil {
		return nil
	}
	of := *value
	return &of
}

// DeploymentFor is the Deployment that a Foo wants, without its owner.
func DeploymentFor(foo *Foo) *appsv1.Deployment {
	labels := map[string]string{"app": "nginx", "controller": foo.Name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Namespace: foo.Namespace, Name: foo.Spec.DeploymentName},
		Spec: appsv1.DeploymentSpec{
			Replicas: foo.Spec.Replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "nginx", Image: "nginx:latest"}}},
			},
		},
	}
}

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Image          string               `json:"image,omitempty"`
	Replicas       int32                `json:"replicas,omitempty"`
	Paused         bool                 `json:"paused,omitempty"`
	GenerationSeed int64                `json:"generationSeed,omitempty"`
	Selector       metav1.LabelSelector `json:"selector,omitempty"`
	Ports          []WidgetPort         `json:"ports,omitempty"`
	Resources      WidgetResources      `json:"resources,omitempty"`
	Env            []WidgetEnv          `json:"env,omitempty"`
}

type WidgetPort struct {
	Name     string `json:"name,omitempty"`
	Port     int32  `json:"port,omitempty"`
	Protocol string `json:"protocol,omitempty"`
}

type WidgetResources struct {
	Limits   map[string]string `json:"limits,omitempty"`
	Requests map[string]string `json:"requests,omitempty"`
}

type WidgetEnv struct {
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
}

type WidgetStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	ReadyReplicas      int32              `json:"readyReplicas,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []Widget `json:"items"`
}

// Nobody copies a Widget: these only make it an object.
func (widget *Widget) DeepCopyObject() runtime.Object   { of := *widget; return &of }
func (list *WidgetList) DeepCopyObject() runtime.Object { of := *list; return &of }
