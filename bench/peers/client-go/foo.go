package main

import (
	"context"
	"fmt"
	"os"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	appslisters "k8s.io/client-go/listers/apps/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"

	"kubewright.invalid/bench/peers/protocol"
)

type controller struct {
	clients     kubernetes.Interface
	fooClient   *rest.RESTClient
	foos        cache.Store
	deployments appslisters.DeploymentLister
	queue       workqueue.TypedRateLimitingInterface[cache.ObjectName]
}

func runFooController(config *rest.Config) {
	clients, err := kubernetes.NewForConfig(config)
	protocol.Must(err)
	fooClient := clientOf(config, protocol.FooVersion)
	foos := informerOf(fooClient, "foos", &protocol.Foo{}, &protocol.FooList{})
	factory := informers.NewSharedInformerFactory(clients, 0)
	deployments := factory.Apps().V1().Deployments()
	limiter := workqueue.DefaultTypedControllerRateLimiter[cache.ObjectName]()
	c := &controller{clients, fooClient, foos.GetStore(), deployments.Lister(), workqueue.NewTypedRateLimitingQueue(limiter)}

	_, err = foos.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    c.enqueue,
		UpdateFunc: func(_, current any) { c.enqueue(current) },
	})
	protocol.Must(err)
	_, err = deployments.Informer().AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: c.enqueueOwner,
		UpdateFunc: func(old, current any) {
			if old.(*appsv1.Deployment).ResourceVersion != current.(*appsv1.Deployment).ResourceVersion {
				c.enqueueOwner(current)
			}
		},
		DeleteFunc: c.enqueueOwner,
	})
	protocol.Must(err)

	protocol.Say("init")
	factory.Start(nil)
	go foos.Run(nil)
	cache.WaitForCacheSync(nil, foos.HasSynced, deployments.Informer().HasSynced)
	protocol.Say("synced")
	for range protocol.Workers {
		go c.work()
	}
	protocol.Serve(func() int { return len(c.foos.ListKeys()) })
}

func (c *controller) enqueue(object any) {
	if name, err := cache.ObjectToName(object); err == nil {
		c.queue.Add(name)
	}
}

func (c *controller) enqueueOwner(object any) {
	deployment, isDeployment := object.(*appsv1.Deployment)
	if !isDeployment {
		return
	}
	if owner := metav1.GetControllerOf(deployment); owner != nil && owner.Kind == "Foo" {
		c.queue.Add(cache.ObjectName{Namespace: deployment.Namespace, Name: owner.Name})
	}
}

func (c *controller) work() {
	for {
		name, shutDown := c.queue.Get()
		if shutDown {
			return
		}
		if err := c.reconcile(name); err == nil {
			c.queue.Forget(name)
		} else {
			if !errors.IsConflict(err) && !errors.IsAlreadyExists(err) {
				fmt.Fprintln(os.Stderr, name, err)
			}
			c.queue.AddRateLimited(name)
		}
		c.queue.Done(name)
	}
}

func (c *controller) reconcile(name cache.ObjectName) error {
	ctx := context.Background()
	found, exists, err := c.foos.GetByKey(name.String())
	if err != nil || !exists {
		return err
	}
	foo := found.(*protocol.Foo)
	wanted := protocol.DeploymentFor(foo)
	wanted.OwnerReferences = []metav1.OwnerReference{*metav1.NewControllerRef(foo, protocol.FooVersion.WithKind("Foo"))}
	client := c.clients.AppsV1().Deployments(foo.Namespace)

	deployment, err := c.deployments.Deployments(foo.Namespace).Get(wanted.Name)
	if errors.IsNotFound(err) {
		deployment, err = client.Create(ctx, wanted, metav1.CreateOptions{})
	}
	if err != nil {
		return err
	}
	if !metav1.IsControlledBy(deployment, foo) {
		return fmt.Errorf("%s is not controlled by its Foo", deployment.Name)
	}
	if foo.Spec.Replicas != nil && *foo.Spec.Replicas != *deployment.Spec.Replicas {
		if deployment, err = client.Update(ctx, wanted, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	available := deployment.Status.AvailableReplicas
	if shown := foo.Status.AvailableReplicas; shown == nil || *shown != available {
		changed := foo.DeepCopyObject().(*protocol.Foo)
		changed.Status.AvailableReplicas = &available
		if err := c.fooClient.Put().Namespace(foo.Namespace).Resource("foos").Name(foo.Name).SubResource("status").
			Body(changed).Do(ctx).Error(); err != nil {
			return err
		}
	}
	protocol.Reconciled()
	return nil
}
