import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { me } from '../../../testing/answers.ts'
import { renderScreen } from '../../../testing/render-screen.tsx'
import { type Answers, refusal, stubServer } from '../../../testing/stub-server.ts'
import { WorkersCard } from './WorkersCard.tsx'

const STATUS = 'GET /system/workers/status'
const RESTART = 'POST /system/workers/rate-processor/restart'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const worker = (name: string, status = 'RUNNING', details = 'Last run 3 s ago, 0 waiting.') => ({
  name,
  status,
  details,
})
const halted = worker('base-listener', 'FATAL', 'Block 7 is another one than before.')
const stopped = worker('webhook-processor', 'STOPPED', 'No process does this: start one with the role worker.')
const rates = worker('rate-processor', 'BACKOFF', 'The last run failed: no source answered. It is tried again.')
const behind = worker('eth-listener', 'BACKOFF', 'It is 84 blocks behind.')

function show(answers: Answers = {}, role = 'root') {
  const calls = stubServer({
    'GET /member/me': () => me(role),
    'GET /health': () => ({ status: 'ok', db: 'ok', version: '0.1.0', reason: null, workers: {} }),
    [STATUS]: () => ({ status: [halted, stopped, rates, behind, worker('new-processor')] }),
    ...answers,
  })
  renderScreen(<WorkersCard />, '/settings/system')
  return calls
}

const card = async () => within(await screen.findByRole('region', { name: 'Background work' }))
const lines = async () => {
  const list = await (await card()).findByRole('list', { name: 'Background work' })
  return within(list)
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
}
const askRestart = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Restart rate-processor' }))
  return within(await screen.findByRole('dialog', { name: 'Restart rate-processor?' }))
}

describe('the background work', () => {
  it('says of each what it does, how it is and why', async () => {
    show()
    expect(await lines()).toEqual([
      expect.stringMatching(/^Reads BaseBlock 7 is another one than before\.base-listener.*Stopped by a fault/),
      expect.stringMatching(/^Sends webhooksNo process does this.*webhook-processor.*Stopped/),
      expect.stringMatching(/^Asks for pricesThe last run failed: no source answered\..*Delayed/),
      expect.stringMatching(/^Reads EthereumIt is 84 blocks behind\..*Catching up/),
      expect.stringMatching(/^new-processorLast run 3 s ago, 0 waiting\./),
    ])
    expect(screen.queryByText('Nothing runs in the background.')).toBeNull()
  })

  it('offers to restart what a restart can help', async () => {
    show()
    await lines()
    expect((await card()).getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Restart rate-processor',
      'Restart eth-listener',
      'Restart new-processor',
    ])
  })

  it('restarts after a word, says what comes of it and asks again', async () => {
    const message = 'rate-processor restarts in 2 processes as soon as its current run has ended.'
    let status = rates
    const calls = show({
      [STATUS]: () => ({ status: [status] }),
      [RESTART]: () => {
        status = worker('rate-processor')
        return { message }
      },
    })
    const dialog = await askRestart()
    expect(calls.some(({ method }) => method === 'POST')).toBe(false)
    await userEvent.click(dialog.getByRole('button', { name: 'Restart' }))
    expect(await screen.findByText(message)).toBeDefined()
    expect(await (await card()).findByText('Last run 3 s ago, 0 waiting.')).toBeDefined()
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('keeps the question open when the server refuses, with its reason', async () => {
    show({ [RESTART]: () => refusal(400, 'WORKER_UNKNOWN', 'Unknown worker.') })
    const dialog = await askRestart()
    await userEvent.click(dialog.getByRole('button', { name: 'Restart' }))
    expect(await dialog.findByText('Unknown worker.')).toBeDefined()
  })

  it('is only read by those who may not operate it', async () => {
    show({}, 'auditor')
    await lines()
    await waitFor(() => expect(screen.queryByRole('button')).toBeNull())
  })

  it('says what it means when nothing runs at all', async () => {
    show({ [STATUS]: () => ({ status: [stopped, worker('eth-listener', 'STOPPED')] }) })
    expect(await screen.findByText('Nothing runs in the background.')).toBeDefined()
  })

  it('says that the database cannot record anything', async () => {
    const reason = 'The disk of the database is full: nothing can be recorded.'
    show({ 'GET /health': () => ({ status: 'error', db: 'error', version: '0.1.0', reason, workers: {} }) })
    expect(await screen.findByText(reason)).toBeDefined()
  })

  it('fails without the page and tries again', async () => {
    let isDown = true
    show({
      [STATUS]: () => (isDown ? refusal(503, 'SERVICE_UNAVAILABLE', 'Try again in a moment.') : { status: [rates] }),
    })
    expect(await (await card()).findByText('The background work couldn’t be loaded')).toBeDefined()
    isDown = false
    await userEvent.click((await card()).getByRole('button', { name: 'Try again' }))
    expect(await lines()).toHaveLength(1)
  })
})
