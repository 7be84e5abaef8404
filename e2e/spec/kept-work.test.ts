import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Visit } from '../browser.ts'
import { type Desk, openDesk } from './desk.ts'
import { expectAddress, expectGone, expectPage, expectShown } from './expect.ts'

let desk: Desk
let operator: Visit
let page: Page

beforeAll(async () => {
  desk = await openDesk()
  operator = await desk.operator()
  page = operator.page
})

afterAll(() => desk?.close())

describe('what somebody has filled in', () => {
  const amount = () => page.getByRole('textbox', { name: 'Amount in USD' })
  const leave = () => page.getByRole('link', { name: 'All payments' }).first().click()
  const question = () => page.getByRole('dialog', { name: 'Leave without creating the link?' })

  it('is not left with a link, nor with the browser’s Back, before the page has asked', async () => {
    const create = `/project/${desk.project}/payments/createPaymentLink`
    await page.goto(`/project/${desk.project}/dashboard`)
    await expectPage(page, 'Dashboard')
    await page.getByRole('link', { name: 'Create payment link' }).first().click()
    await amount().fill('49')
    for (const go of [leave, () => page.evaluate('history.back()')]) {
      await go()
      await expectShown(question())
      await page.getByRole('button', { name: 'Stay here' }).click()
      await expectGone(question())
      await expectAddress(page, create)
      expect(await amount().inputValue()).toBe('49')
    }
    await amount().fill('')
    await leave()
    await expectPage(page, 'All payments')
  })

  it('stays in its dialog however often Escape is pressed', async () => {
    await page.goto('/developers?tabId=webhooks')
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    const dialog: Locator = page.getByRole('dialog', { name: 'Add an endpoint' })
    const url = dialog.getByRole('textbox', { name: 'URL' })
    await url.fill('https://shop.example/hook')
    const asked = page.getByRole('dialog', { name: 'Discard what you filled in?' })
    for (const isAsked of [true, false, true, false, true]) {
      await page.keyboard.press('Escape')
      await (isAsked ? expectShown(asked) : expectGone(asked))
      await expectShown(dialog)
    }
    await page.getByRole('button', { name: 'Keep editing' }).click()
    expect(await url.inputValue()).toBe('https://shop.example/hook')
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('url')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await expectGone(dialog)
  })
})
