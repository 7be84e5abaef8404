import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** One registry per process; labels never contain customer data, because anybody with the token reads them (api.md M5). */
export const registry = new Registry()

collectDefaultMetrics({ register: registry, prefix: 'kassa_' })

export const httpSeconds = new Histogram({
  name: 'kassa_http_seconds',
  help: 'Time to answer, per route of the catalogue and status class.',
  labelNames: ['route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
})

export const jobsTotal = new Counter({
  name: 'kassa_jobs_total',
  help: 'Background jobs that ended, per queue and result.',
  labelNames: ['queue', 'result'],
  registers: [registry],
})

export const alarmsRaised = new Counter({
  name: 'kassa_alarms_total',
  help: 'Alarms that were raised, per kind.',
  labelNames: ['kind'],
  registers: [registry],
})

export const rpcErrors = new Counter({
  name: 'kassa_rpc_errors_total',
  help: 'Calls that a node failed to answer, per node and kind of failure.',
  labelNames: ['node', 'kind'],
  registers: [registry],
})

export const nodeScore = new Gauge({
  name: 'kassa_node_score',
  help: 'Health of a node, 0 to 100; from 60 up the preferred one is asked first.',
  labelNames: ['blockchain', 'node'],
  registers: [registry],
})

export const chainLagSeconds = new Gauge({
  name: 'kassa_chain_head_lag_seconds',
  help: 'Age of the newest block that was processed while the chain is behind.',
  labelNames: ['blockchain'],
  registers: [registry],
})

export const chainLagBlocks = new Gauge({
  name: 'kassa_chain_head_lag_blocks',
  help: 'Blocks between the node and what was processed.',
  labelNames: ['blockchain'],
  registers: [registry],
})

export const detectSeconds = new Histogram({
  name: 'kassa_detect_seconds',
  help: 'From the time of a block to the committed event of its deposits.',
  labelNames: ['blockchain'],
  buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
  registers: [registry],
})

export const priceAgeSeconds = new Gauge({
  name: 'kassa_price_age_seconds',
  help: 'Age of the last trustworthy price.',
  labelNames: ['currency'],
  registers: [registry],
})

export const priceSourceFailures = new Counter({
  name: 'kassa_price_source_failures_total',
  help: 'Answers of a price source that could not be read, or did not come.',
  labelNames: ['source'],
  registers: [registry],
})

export const blocksPerSecond = new Gauge({
  name: 'kassa_blocks_per_second',
  help: 'Blocks processed per second, over the newest step.',
  labelNames: ['blockchain'],
  registers: [registry],
})

export const reorgDepth = new Histogram({
  name: 'kassa_reorg_depth',
  help: 'Blocks that a reorganisation removed.',
  labelNames: ['blockchain'],
  buckets: [1, 2, 4, 8, 16, 32, 64],
  registers: [registry],
})

export const quarantineOpen = new Gauge({
  name: 'kassa_quarantine_open',
  help: 'Blocks that are quarantined because they could not be read.',
  labelNames: ['blockchain'],
  registers: [registry],
})

export const filterSize = new Gauge({
  name: 'kassa_filter_size',
  help: 'Addresses that this process watches.',
  labelNames: ['family'],
  registers: [registry],
})

export const sweepsTotal = new Counter({
  name: 'kassa_sweeps_total',
  help: 'Sweeps, per event: initiated, broadcast, cancelled, completed, failed.',
  labelNames: ['event'],
  registers: [registry],
})

export const depositsTotal = new Counter({
  name: 'kassa_deposits_total',
  help: 'Incoming transfers that reached a status.',
  labelNames: ['status'],
  registers: [registry],
})
