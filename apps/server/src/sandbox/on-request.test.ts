import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { pino } from 'pino'
import { expect, it, vi } from 'vitest'

import { runOnRequest, type Switches } from './on-request.ts'

it('writes down where a local chain answers, again and again until the database takes it', async () => {
  const home = mkdtempSync(join(tmpdir(), 'kassa-on-request-'))
  const setNode = vi.fn<Switches['setNode']>().mockResolvedValue(undefined)
  setNode.mockRejectedValueOnce(new Error('the database system is starting up'))
  const onRequest = runOnRequest({
    home,
    log: pino({ level: 'silent' }),
    readHeight: async () => null,
    switches: { isWanted: async (code) => code === 'TRX', setNode, needsBlocks: async () => false },
  })
  await vi.waitFor(() => expect(setNode).toHaveBeenCalledTimes(2), 20_000)
  const [first, again] = setNode.mock.calls
  expect(again).toEqual(first)
  await onRequest.stop()
  rmSync(home, { recursive: true })
})
