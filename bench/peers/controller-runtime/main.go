// The controller-runtime peer: a manager with one controller for "foo", the manager's cache alone for "cache".
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"kubewright.invalid/bench/peers/protocol"
)

func main() {
	ctrl.SetLogger(logr.Discard())
	protocol.Must(protocol.AddToScheme(scheme.Scheme))
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	protocol.Must(err)
	config.QPS = -1
	options := ctrl.Options{Metrics: server.Options{BindAddress: "0"}}
	if protocol.Namespace != "" {
		options.Cache.DefaultNamespaces = map[string]cache.Config{protocol.Namespace: {}}
	}
	manager, err := ctrl.NewManager(config, options)
	protocol.Must(err)
	ctx := context.Background()
	var list client.ObjectList = &protocol.FooList{}
	protocol.Say("init")
	if protocol.Mode == "cache" {
		list = &protocol.WidgetList{}
		followWidgets(ctx, manager)
	} else {
		controlFoos(manager)
	}
	go func() { protocol.Must(manager.Start(ctx)) }()
	manager.GetCache().WaitForCacheSync(ctx)
	protocol.Say("synced")
	protocol.Serve(func() int { return countOf(ctx, manager, list) })
}

func countOf(ctx context.Context, manager ctrl.Manager, list client.ObjectList) int {
	protocol.Must(manager.GetCache().List(ctx, list, client.UnsafeDisableDeepCopy))
	switch found := list.(type) {
	case *protocol.FooList:
		return len(found.Items)
	case *protocol.WidgetList:
		return len(found.Items)
	}
	return 0
}

func followWidgets(ctx context.Context, manager ctrl.Manager) {
	informer, err := manager.GetCache().GetInformer(ctx, &protocol.Widget{}, cache.BlockUntilSynced(false))
	protocol.Must(err)
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, _ any) { protocol.Count() },
	})
	protocol.Must(err)
}

func controlFoos(manager ctrl.Manager) {
	protocol.Must(ctrl.NewControllerManagedBy(manager).
		For(&protocol.Foo{}).
		Owns(&appsv1.Deployment{}).
		WithOptions(controller.Options{MaxConcurrentReconciles: protocol.Workers}).
		Complete(&reconciler{manager.GetClient()}))
}

type reconciler struct{ client.Client }

func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	return ctrl.Result{}, client.IgnoreNotFound(r.reconcile(ctx, request))
}

func (r *reconciler) reconcile(ctx context.Context, request ctrl.Request) error {
	foo := &protocol.Foo{}
	if err := r.Get(ctx, request.NamespacedName, foo); err != nil {
		return err
	}
	deployment := protocol.DeploymentFor(foo)
	err := r.Get(ctx, client.ObjectKeyFromObject(deployment), deployment)
	if errors.IsNotFound(err) {
		deployment = protocol.DeploymentFor(foo)
		if err := ctrl.SetControllerReference(foo, deployment, r.Scheme()); err != nil {
			return err
		}
		err = r.Create(ctx, deployment)
	}
	if err != nil {
		return err
	}
	if !metav1.IsControlledBy(deployment, foo) {
		return fmt.Errorf("%s is not controlled by its Foo", deployment.Name)
	}
	if foo.Spec.Replicas != nil && *foo.Spec.Replicas != *deployment.Spec.Replicas {
		deployment.Spec.Replicas = foo.Spec.Replicas
		if err := r.Update(ctx, deployment); err != nil {
			return err
		}
	}
	available := deployment.Status.AvailableReplicas
	if shown := foo.Status.AvailableReplicas; shown == nil || *shown != available {
		foo.Status.AvailableReplicas = &available
		if err := r.Status().Update(ctx, foo); err != nil {
			return err
		}
	}
	protocol.Reconciled()
	return nil
}
