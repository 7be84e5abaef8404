import { stat } from 'node:fs/promises'
import { hostname } from 'node:os'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { fileState } from './file-state.ts'

vi.mock('node:fs/promises', { spy: true })

afterEach(() => {
  vi.mocked(stat).mockReset()
})

const ROW = { host: hostname(), path: import.meta.filename, bytes: 1n }

describe('backups.fileState', () => {
  it('looks once at a file whose disk does not answer, however many ask, and again once it has answered', async () => {
    const ctx = { memory: new Map() }
    const hanging = Promise.withResolvers<never>()
    vi.mocked(stat).mockReturnValue(hanging.promise)
    expect(await Promise.all([fileState(ctx, ROW, 5), fileState(ctx, ROW, 5)])).toEqual([null, null])
    expect(await fileState(ctx, ROW, 5)).toBeNull()
    expect(stat).toHaveBeenCalledTimes(1)
    hanging.reject(Object.assign(new Error('no such file'), { code: 'ENOENT' }))
    expect(await fileState(ctx, ROW)).toBe('missing')
    vi.mocked(stat).mockReset()
    expect(await fileState(ctx, ROW)).toBe('changed')
  })
})
