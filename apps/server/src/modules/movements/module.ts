import type { Module } from '../../module.ts'

export const movements: Module = { name: 'movements' }
