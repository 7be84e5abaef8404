/** What people do with sweeps: plan, start, cancel, retry, and report what their own wallet sent (api.md S5–S8, K14, K15). */
export { cancelByHand, lookUpReport, recordReport, retrySweep, type Report } from './actions.ts'
export { assetByHand, blockchainByHand, initiatePrepared, prepareSweep } from './initiate.ts'
export { announceDue, lockedUntil, startPlan, storePlan } from './plans.ts'
export { deleteOldPlans } from './store.ts'
