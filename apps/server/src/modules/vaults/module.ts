import type { Module } from '../../module.ts'

export const vaults: Module = {
  name: 'vaults',
}
