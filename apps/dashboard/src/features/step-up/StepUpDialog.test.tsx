import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'

import { requestStepUp } from '../../api/step-up.ts'
import { StepUpDialog } from './StepUpDialog.tsx'
import '../../testing/patient.ts'

const asked = vi.hoisted(() => vi.fn<() => void>())

vi.mock('./PasswordProof.tsx', () => {
  asked()
  throw new TypeError('Failed to fetch dynamically imported module')
})

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

it('loads what asks for the password before anything asks for it', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('requestIdleCallback', (act: () => void) => act())
  render(<StepUpDialog />)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(asked).toHaveBeenCalled()
})

it('lets a call go that waits for a proof which a deployment took away', async () => {
  vi.stubGlobal('fetch', async () => new Response(''))
  render(<StepUpDialog />)
  const proved = requestStepUp({ class: 'S', action: 'api_key.create' }, {})
  expect(await screen.findByRole('dialog', { name: 'This could not be loaded' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Stay here' }))
  expect(await proved).toBeNull()
  expect(screen.queryByRole('dialog')).toBeNull()
})
