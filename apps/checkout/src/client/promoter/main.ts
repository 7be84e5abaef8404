import { answerCopies } from '../copy.ts'
import { closeMenus } from '../menus.ts'
import { refreshFacts } from './facts.ts'
import { answerShare } from './share.ts'
import { takeToken } from './token.ts'
import { answerWithdrawal } from './withdrawal.ts'

/** What others decide about a withdrawal, and what customers buy, is seen by looking again. */
const REFRESH_MS = 60_000

const token = takeToken()
document.documentElement.dataset['live'] = ''
answerCopies()
closeMenus()
answerShare()
answerWithdrawal(token)
setInterval(() => {
  if (document.visibilityState === 'visible') void refreshFacts(token)
}, REFRESH_MS)
