import { describe, expect, it } from 'vitest'

import { queuedText, replayErrors, replayRequest, replayValues } from './replay-form.ts'

describe('replayRequest', () => {
  it('covers whole days, the last one to its end', () => {
    expect(replayRequest({ from: '2026-11-20', to: '2026-11-20', everything: true })).toEqual({
      from: '2026-11-20T00:00:00Z',
      to: '2026-11-20T23:59:59Z',
      onlyFailed: false,
    })
  })
})

describe('replayErrors', () => {
  it.each([
    ['2026-11-01', '2026-12-01', {}],
    ['2026-11-01', '2026-12-02', { to: 'Choose at most 31 days' }],
    ['2026-11-02', '2026-11-01', { to: 'The end date must not be before the start date' }],
    ['', '2026-11-01', { from: 'From is required' }],
    ['2026-11-01', '', { to: 'To is required' }],
  ])('of %s to %s', (from, to, errors) => {
    expect(replayErrors({ from, to, everything: false })).toEqual(errors)
  })

  it('starts with seven days that are allowed', () => {
    const values = replayValues(new Date('2026-11-20T05:10:44Z'))
    expect(values).toEqual({ from: '2026-11-14', to: '2026-11-20', everything: false })
    expect(replayErrors(values)).toEqual({})
  })
})

describe('queuedText', () => {
  it.each([
    [0, 'Nothing to send again in these days.'],
    [1, '1 delivery is sent again.'],
    [14, '14 deliveries are sent again, in their order.'],
  ])('of %i', (queued, text) => {
    expect(queuedText(queued)).toBe(text)
  })
})
