package main

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              WidgetSpec   `json:"spec"`
	Status            WidgetStatus `json:"status,omitempty"`
}

type WidgetSpec struct {
	Image          string   `json:"image,omitempty"`
	Replicas       int32    `json:"replicas,omitempty"`
	Paused         bool     `json:"paused,omitempty"`
	GenerationSeed int64    `json:"generationSeed,omitempty"`
	Selector       Selector `json:"selector,omitempty"`
	Ports          []Port   `json:"ports,omitempty"`
	Resources      struct {
		Limits   map[string]string `json:"limits,omitempty"`
		Requests map[string]string `json:"requests,omitempty"`
	} `json:"resources,omitempty"`
	Env []struct {
		Name  string `json:"name,omitempty"`
		Value string `json:"value,omitempty"`
	} `json:"env,omitempty"`
}

type Selector struct {
	MatchLabels map[string]string `json:"matchLabels,omitempty"`
}

type Port struct {
	Name     string `json:"name,omitempty"`
	Port     int32  `json:"port,omitempty"`
	Protocol string `json:"protocol,omitempty"`
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

// The decoder never copies: these satisfy the interface and are not called.
func (w *Widget) DeepCopyObject() runtime.Object     { copied := *w; return &copied }
func (l *WidgetList) DeepCopyObject() runtime.Object { copied := *l; return &copied }
