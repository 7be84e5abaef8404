import type { Html } from '../markup/html.ts'
import type { ViewModel } from '../view-model.ts'
import type { TextValues, Translator } from './translator.ts'

/** The headline of a state, as markup. */
export function titleOf(viewModel: ViewModel): Html {
  const { translator, facts } = viewModel
  return isTimed(viewModel)
    ? translator.say('confirming.timed', timed(viewModel))
    : translator.say(`${viewModel.state}.title`, facts)
}

/** What a state says below its headline; nothing where address and amount say it. */
export function bodyOf({ state, translator, facts }: ViewModel): Html | null {
  return state === 'waiting' ? null : translator.say(`${state}.body`, facts)
}

/** What the region says that names the state: of its own where something is still to be done, else the headline. */
export function statusOf(viewModel: ViewModel): string {
  const { state, translator, facts } = viewModel
  if (state === 'choose' || state === 'waiting' || state === 'partly-open') return translator.text(`${state}.status`)
  return isTimed(viewModel)
    ? translator.text('confirming.timed', timed(viewModel))
    : translator.text(`${state}.title`, facts)
}

/** The server's own sentence in its own language; in the others the catalogue's for the same thing. */
export function sentenceOf({ language }: Translator, sentence: string, translated: () => Html): Html | string {
  return language.code === 'en' ? sentence : translated()
}

function isTimed({ state, minutes }: ViewModel): boolean {
  return state === 'confirming' && minutes !== null
}

function timed({ facts, minutes }: ViewModel): TextValues {
  return { ...facts, minutes }
}
