/** How a project wants its customers' page: language, colours, the text of the way back. */

/** The languages of the payment page, in the order of its menu. */
export const CHECKOUT_LANGUAGES = [
  ...['en', 'de', 'es', 'fr', 'it', 'pt', 'nl', 'pl', 'cs', 'tr', 'ru', 'uk'],
  ...['ar', 'he', 'fa', 'hi', 'id', 'vi', 'zh', 'ja', 'ko'],
] as const

/** `system`: as the customer's device is set. */
export const CHECKOUT_THEMES = ['system', 'light', 'dark'] as const

export type CheckoutTheme = (typeof CHECKOUT_THEMES)[number]

/** A button of the payment page holds so many characters on a phone. */
export const LONGEST_BACK_TEXT = 40
