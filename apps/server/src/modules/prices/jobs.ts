import { job } from '../../jobs/jobs.ts'
import { forgetOldPrices, pollPrices } from './poll-prices.ts'

/** Every process checks whether a poll is due; the one that takes it asks the sources. */
export const pollPricesJob = job({
  queue: 'prices.poll',
  worker: 'rate-processor',
  run: (ctx) => pollPrices(ctx),
  everySeconds: 2,
})

export const forgetOldPricesJob = job({
  queue: 'prices.forget-old',
  formerly: ['prices.forgetOld'],
  worker: 'rate-processor',
  run: forgetOldPrices,
  everySeconds: 3600,
})
