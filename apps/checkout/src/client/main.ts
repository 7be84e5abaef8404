import { sendQuestions } from './ask.ts'
import { answerCopies } from './copy.ts'
import { listenToChoices, restoreChoice } from './choice.ts'
import { startClock } from './clock.ts'
import { follow } from './live.ts'
import { followSteps } from './headline.ts'
import { followSent } from './sent/follow.ts'
import { drawSent } from './sent/notice.ts'
import { closeMenus } from './menus.ts'
import { notifyOpener } from './opener.ts'
import { noticeWallets } from './wallet-apps.ts'
import { answerWalletButton } from './wallet-button.ts'
import type { WalletPart } from './wallet-button.ts'
import { refreshView, rememberSnapshot, runClock } from './view.ts'

/** Marks that the script runs: copy buttons appear, links for browsers without one go. */
document.documentElement.dataset['live'] = ''

const offline = document.getElementById('offline')

function showConnection(): void {
  if (offline !== null) offline.hidden = navigator.onLine
}

/** Brings what the script adds to a freshly drawn view; called after every swap. */
function attach(): void {
  restoreChoice()
  notifyOpener()
  noticeWallets()
  drawSent()
  runClock(() => startClock(() => void refreshView(attach)))
}

addEventListener('online', showConnection)
addEventListener('offline', showConnection)
document.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('[data-print]') !== null) print()
})
showConnection()
answerCopies()
sendQuestions()
followSent()
answerWalletButton((url) => import(url) as Promise<WalletPart>)
closeMenus()
listenToChoices()
followSteps()
rememberSnapshot()
attach()
follow((isIdle) => refreshView(attach, isIdle))
