import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** One registry per process; labels never hold customer data (api.md M5). */
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
