// The client-go peer: shared informers, a rate limited queue and workers, put together as sample-controller does; a
// shared informer alone for "cache"; a REST client alone for "decode".
package main

import (
	"context"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"

	"kubewright.invalid/bench/peers/protocol"
)

var parameters = runtime.NewParameterCodec(scheme.Scheme)

func main() {
	protocol.Must(protocol.AddToScheme(scheme.Scheme))
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	protocol.Must(err)
	// No limit of its own: the server has priority and fairness.
	config.QPS = -1
	switch protocol.Mode {
	case "cache":
		followWidgets(config)
	case "decode":
		decode(config)
	default:
		runFooController(config)
	}
}

func clientOf(config *rest.Config, version schema.GroupVersion) *rest.RESTClient {
	own := rest.CopyConfig(config)
	own.APIPath = "/apis"
	own.GroupVersion = &version
	own.NegotiatedSerializer = serializer.NewCodecFactory(scheme.Scheme).WithoutConversion()
	client, err := rest.RESTClientFor(own)
	protocol.Must(err)
	return client
}

// informerOf follows a custom resource as the generated informers do: with a streaming list where the server has it.
func informerOf(client *rest.RESTClient, plural string, object, list runtime.Object) cache.SharedIndexInformer {
	request := func(options *metav1.ListOptions) *rest.Request {
		return client.Get().NamespaceIfScoped(protocol.Namespace, protocol.Namespace != "").Resource(plural).
			VersionedParams(options, parameters)
	}
	source := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			into := list.DeepCopyObject()
			return into, request(&options).Do(ctx).Into(into)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.Watch = true
			return request(&options).Watch(ctx)
		},
	}, client)
	byNamespace := cache.Indexers{cache.NamespaceIndex: cache.MetaNamespaceIndexFunc}
	return cache.NewSharedIndexInformer(source, object, 0, byNamespace)
}

func followWidgets(config *rest.Config) {
	informer := informerOf(clientOf(config, protocol.WidgetVersion), "widgets", &protocol.Widget{}, &protocol.WidgetList{})
	registration, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		UpdateFunc: func(_, _ any) { protocol.Count() },
	})
	protocol.Must(err)
	objects := func() int { return len(informer.GetStore().ListKeys()) }
	protocol.Say("init")
	go informer.Run(nil)
	cache.WaitForCacheSync(nil, registration.HasSynced)
	protocol.Say("synced %d", objects())
	protocol.Serve(objects)
}
