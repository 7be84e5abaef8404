import { i18n } from '@lingui/core'
import { afterEach, describe, expect, it } from 'vitest'

import { copiedText, copyFailedText } from './clipboard.ts'

afterEach(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

describe('what is said of a copy', () => {
  it('is the specification’s sentence in English', () => {
    expect([copiedText('payment link'), copyFailedText('payment link')]).toEqual([
      'Payment link Copied!',
      'Failed to copy payment link',
    ])
  })

  it('is a whole sentence of another language, which puts the name where it need not be bent', () => {
    i18n.loadAndActivate({
      locale: 'tr',
      messages: { 'spec.copied': ['Kopyalandı: ', ['name']], 'spec.copyFailed': ['Kopyalanamadı: ', ['label']] },
    })
    expect([copiedText('işlem'), copyFailedText('işlem')]).toEqual(['Kopyalandı: İşlem', 'Kopyalanamadı: işlem'])
  })
})
