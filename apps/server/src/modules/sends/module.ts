import type { Module } from '../../module.ts'
import { sendsInvariants } from './record/invariants.ts'

export const sends: Module = {
  name: 'sends',
  invariants: sendsInvariants,
}
