import { fillVariables, placeholdersIn, type VariableContext } from '@balcao/contract/variables.ts'
import classes from './reading.module.css'

type Props = { text: string; context: VariableContext }

/** What the customer will read, where a text has placeholders; what stands for nothing is named. */
export const Reading = ({ text, context }: Props) => {
  const places = placeholdersIn(text)
  if (!places.length) return null
  const unknown = places.filter((place) => !place.isKnown)
  const blank = places.filter((place) => place.isKnown && !fillVariables(`{{${place.name}}}`, context).trim())
  return (
    <div className={classes.reading} data-bad={unknown.length > 0}>
      {unknown.length > 0 ? (
        <span role="alert">
          {unknown.length === 1 ? 'Variável desconhecida: ' : 'Variáveis desconhecidas: '}
          {unknown.map(({ name }) => `{{${name}}}`).join(', ')}. Corrija antes de enviar.
        </span>
      ) : (
        <>
          <span className={classes.label}>O cliente lê:</span> {fillVariables(text, context)}
          {blank.length > 0 && (
            <span className={classes.blank}>
              Sem valor neste contato: {blank.map(({ name }) => `{{${name}}}`).join(', ')}
            </span>
          )}
        </>
      )}
    </div>
  )
}
