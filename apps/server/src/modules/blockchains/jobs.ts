import { job } from '../../jobs/jobs.ts'
import { checkAssets } from './assets/check-assets.ts'

/** Compares every enabled asset with its contract, daily and at the start. */
export const checkAssetsJob = job({
  queue: 'blockchains.check-assets',
  worker: 'account-processor',
  run: checkAssets,
  heartbeatSeconds: 120,
  everySeconds: 86_400,
})
