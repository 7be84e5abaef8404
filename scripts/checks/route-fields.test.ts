import { describe, expect, it } from 'vitest'
import { inPlantedTree } from './planted-tree.ts'
import { checkRouteFields } from './route-fields.ts'

async function ask(text: string) {
  const { findings } = await inPlantedTree({ 'apps/dashboard/src/api/a.ts': text }, checkRouteFields)
  return findings.map(({ file, line }) => `${file}:${line}`)
}

describe('route fields', () => {
  it('names a field that the build takes away', async () => {
    expect(await ask('const a = 1\nsafeParse(authRoutes.login.body, values)\n')).toEqual([
      'apps/dashboard/src/api/a.ts:2',
    ])
  })

  it('leaves calls and types', async () => {
    expect(await ask('call(authRoutes.login, { body })\ntype A = typeof authRoutes.login.body\n')).toEqual([])
  })
})
