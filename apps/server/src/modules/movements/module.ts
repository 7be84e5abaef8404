import type { Module } from '../../module.ts'
import { movementsInvariants } from './invariants.ts'

export const movements: Module = { name: 'movements', invariants: movementsInvariants }
