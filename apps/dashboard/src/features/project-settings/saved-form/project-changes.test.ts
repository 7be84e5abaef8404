import type { Project } from '@kassa/contract/projects/schemas.ts'
import { describe, expect, it } from 'vitest'

import { project } from '../../../testing/answers.ts'
import { contrast, textOn } from '../branding/contrast.ts'
import { changeErrors, changesOf, valuesOf } from './project-changes.ts'

const saved = project(7, 'Acme', {
  website: 'https://acme.example',
  defaultPaymentBlockchainID: 4,
  logoPath: '/uploads/a.png',
}) as unknown as Project
const values = valuesOf(saved)

describe('changesOf', () => {
  it('is empty while nothing differs, spaces around a text included', () => {
    expect(changesOf(saved, { ...values, name: ' Acme ' })).toEqual({})
  })

  it('names only what was changed; emptied texts and choices clear', () => {
    const edited = { ...values, website: '', twitterURL: 'https://x.example/acme', defaultPaymentBlockchainID: '' }
    expect(changesOf(saved, edited)).toEqual({
      website: '',
      twitterURL: 'https://x.example/acme',
      defaultPaymentBlockchainID: null,
    })
  })

  it('sends ids as numbers', () => {
    expect(changesOf(saved, { ...values, defaultPaymentBlockchainCurrencyID: '12' })).toEqual({
      defaultPaymentBlockchainCurrencyID: 12,
    })
  })

  it('removes a logo by an empty path, and lets a new file stand alone', () => {
    expect(changesOf(saved, { ...values, logo: { path: '', file: undefined } })).toEqual({ logoPath: '' })
    const file = new File(['x'], 'logo.png', { type: 'image/png' })
    expect(changesOf(saved, { ...values, logo: { path: '', file } })).toEqual({ logo: file })
  })
})

describe('changeErrors', () => {
  it('has the texts of the contract, for changed fields only', () => {
    expect(changeErrors({ name: '', website: 'ftp://a', brandColor: 'green' })).toEqual({
      name: 'Project Name is required',
      website: 'Website must be an http or https address',
      brandColor: 'Use a colour like #caff54',
    })
    expect(changeErrors({})).toEqual({})
  })
})

describe('contrast', () => {
  it('is what WCAG computes', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21, 5)
    expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
    expect(textOn('#caff54')).toBe('#000000')
    expect(textOn('#1a2b3c')).toBe('#ffffff')
  })
})
