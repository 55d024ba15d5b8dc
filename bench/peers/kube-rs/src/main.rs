//! The kube-rs peer: a Controller for "foo", a reflector for "cache".
mod foo_controller;
mod kinds;
mod protocol;

use futures::{StreamExt, pin_mut};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use kube::{Api, Client};

use crate::kinds::Widget;

#[tokio::main]
async fn main() {
    let client = Client::try_default().await.expect("a way into the cluster");
    if protocol::text("BENCH_MODE").as_deref() == Some("cache") {
        follow_widgets(client).await
    } else {
        foo_controller::run(client).await
    }
}

async fn follow_widgets(client: Client) {
    let api: Api<Widget> = match protocol::text("BENCH_NAMESPACE") {
        Some(namespace) => Api::namespaced(client, &namespace),
        None => Api::all(client),
    };
    let expected = protocol::number("BENCH_EXPECT", 0);
    let (store, writer) = reflector::store();
    println!("init");
    let objects = store.clone();
    protocol::serve(move || objects.len());
    let events = watcher(api, watcher::Config::default())
        .default_backoff()
        .reflect(writer);
    pin_mut!(events);
    while let Some(event) = events.next().await {
        match event {
            Ok(watcher::Event::InitDone) => println!("synced {}", store.len()),
            Ok(watcher::Event::Apply(_)) => protocol::count(expected),
            Ok(_) => {}
            Err(error) => eprintln!("{error}"),
        }
    }
}
