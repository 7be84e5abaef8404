/** Asking: whose key must allow what, and what it signed (money.md 6.6, steps 1, 2, 4 and 5). */
export { overviewOf, pageOfCandidates } from './list-approvals.ts'
export { prepareBatch, storeBatch } from './request-approvals.ts'
export { jobOf } from './signing-job.ts'
export { checkPosting, signaturesOf, storePosting } from './take-signatures.ts'
