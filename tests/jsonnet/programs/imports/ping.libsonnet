{ name: 'ping', other: (import 'pong.libsonnet').name }
