{ name: 'pong', back: (import 'ping.libsonnet').other }
