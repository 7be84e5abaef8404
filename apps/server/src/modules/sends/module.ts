import { SENDER_WORKER } from '../../config/workers.ts'
import type { Module } from '../../module.ts'
import { startFollowingSends } from './following/service.ts'
import { sendsInvariants } from './record/invariants.ts'

export const sends: Module = {
  name: 'sends',
  invariants: sendsInvariants,
  loops: [{ role: 'sender', worker: SENDER_WORKER, start: startFollowingSends }],
}
