import type { Module } from '../../module.ts'

export const operators: Module = {
  name: 'operators',
}
