import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import type { Visit } from '../browser.ts'
import { type OperatorWindows, openOperatorWindows } from './operator-windows.ts'
import { expectAddress, expectGone, expectPage, expectShown } from './expect.ts'

let windows: OperatorWindows
let operator: Visit
let page: Page

beforeAll(async () => {
  windows = await openOperatorWindows()
  operator = await windows.operator()
  page = operator.page
})

afterAll(() => windows?.close())

describe('what somebody has filled in', () => {
  const amount = () => page.getByRole('textbox', { name: 'Amount in USD' })
  const leave = () => page.getByRole('link', { name: 'All payments' }).first().click()
  const question = () => page.getByRole('dialog', { name: 'Leave without creating the link?' })

  it('is not left with a link, nor with the browser’s Back, before the page has asked', async () => {
    const create = `/project/${windows.project}/payments/createPaymentLink`
    await page.goto(`/project/${windows.project}/dashboard`)
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

  const dialog = () => page.getByRole('dialog', { name: 'Add an endpoint' })
  const url = () => dialog().getByRole('textbox', { name: 'URL' })
  const discard = () => page.getByRole('dialog', { name: 'Discard what you filled in?' })

  /** A dialog with something in it, on a tab that the browser’s Back leads away from. */
  async function fillEndpoint(): Promise<void> {
    await page.goto('/developers?tabId=apiKeys')
    await page.getByRole('tab', { name: 'Webhooks' }).click()
    await page.getByRole('button', { name: 'Add endpoint' }).first().click()
    await url().fill('https://shop.example/hook')
  }

  it('stays in its dialog however often Escape is pressed', async () => {
    await fillEndpoint()
    for (const isAsked of [true, false, true, false, true]) {
      await page.keyboard.press('Escape')
      await (isAsked ? expectShown(discard()) : expectGone(discard()))
      await expectShown(dialog())
    }
    expect(await url().inputValue()).toBe('https://shop.example/hook')
  })

  it('stays while the focus is nowhere, where the browser takes the key and sooner or later closes what it likes', async () => {
    await fillEndpoint()
    for (let presses = 0; presses < 8; presses += 1) {
      await page.evaluate('document.activeElement.blur()')
      await page.keyboard.press('Escape')
      await page.waitForTimeout(300)
      await expectShown(dialog())
      // A question is above what it is about.
      const keep = discard().getByRole('button', { name: 'Keep editing' })
      if ((await keep.count()) > 0) await keep.click({ trial: true })
    }
    expect(await url().inputValue()).toBe('https://shop.example/hook')
  })

  it('gives the focus back to the field it was in', async () => {
    await fillEndpoint()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('url')
  })

  it('stays in its dialog until the browser’s Back has been asked about', async () => {
    await fillEndpoint()
    await page.evaluate('history.back()')
    await expectShown(discard())
    await page.getByRole('button', { name: 'Stay here' }).click()
    await expectGone(discard())
    expect(await url().inputValue()).toBe('https://shop.example/hook')
    await page.evaluate('history.back()')
    await page.getByRole('button', { name: 'Leave' }).click()
    await expectAddress(page, '/developers?tabId=apiKeys')
    await expectGone(dialog())
  })

  it('is asked about by the browser before its tab is closed, and no more once it is given up', async () => {
    const asked: string[] = []
    page.on('dialog', (question) => {
      asked.push(question.type())
      void question.dismiss()
    })
    await fillEndpoint()
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => asked).toEqual(['beforeunload'])
    await expectShown(dialog())
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await expectGone(dialog())
    await page.close({ runBeforeUnload: true })
    await expect.poll(() => page.isClosed()).toBe(true)
    expect(asked).toEqual(['beforeunload'])
  })
})
