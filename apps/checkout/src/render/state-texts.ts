import type { Html } from './html.ts'
import type { Subject } from './subject.ts'
import type { Facts, Words } from './words.ts'

/** The headline of a state, as markup. */
export function titleOf(subject: Subject): Html {
  const { words, facts } = subject
  return isTimed(subject) ? words.say('confirming.timed', timed(subject)) : words.say(`${subject.state}.title`, facts)
}

/** What a state says below its headline; nothing where address and amount say it. */
export function bodyOf({ state, words, facts }: Subject): Html | null {
  return state === 'waiting' ? null : words.say(`${state}.body`, facts)
}

/** What the region says that names the state: of its own where something is still to be done, else the headline. */
export function statusOf(subject: Subject): string {
  const { state, words, facts } = subject
  if (state === 'choose' || state === 'waiting' || state === 'partly-open') return words.text(`${state}.status`)
  return isTimed(subject) ? words.text('confirming.timed', timed(subject)) : words.text(`${state}.title`, facts)
}

/** The server's own sentence in its own language; in the others the catalogue's for the same thing. */
export function told({ language }: Words, sentence: string, translated: () => Html): Html | string {
  return language.code === 'en' ? sentence : translated()
}

function isTimed({ state, minutes }: Subject): boolean {
  return state === 'confirming' && minutes !== null
}

function timed({ facts, minutes }: Subject): Facts {
  return { ...facts, minutes }
}
