import { currentView } from './view.ts'

/** Tells the shop that opened this pop-up which state the payment is in: reference and state, to the shop's origin only. */
export function notifyOpener(): void {
  const { reference, state, shop } = currentView()?.dataset ?? {}
  if (shop === undefined || window.opener === null) return
  const opener = window.opener as Window
  opener.postMessage({ reference, state }, shop)
}
