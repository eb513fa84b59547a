/** The message an event speaks of is not here: perhaps it is still on its way. */
export class TargetMissing extends Error {
  constructor() {
    super('A mensagem a que este aviso se refere não está aqui.')
  }
}
