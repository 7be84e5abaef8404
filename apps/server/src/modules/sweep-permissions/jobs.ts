import { job } from '../../jobs/jobs.ts'
import { superviseSupply } from './following/supply.ts'

export const superviseSupplyJob = job({
  queue: 'sweep-permissions.supply',
  worker: 'deposit-processor',
  run: superviseSupply,
  everySeconds: 600,
})
