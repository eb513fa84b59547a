import type { RatingSettings } from '@balcao/contract/service/ratings.ts'
import { SegmentedControl } from '@mantine/core'
import { useState } from 'react'
import { UserText } from '../../../ui/user-text.tsx'
import classes from './rating-preview.module.css'

type Option = RatingSettings['options'][number]
const lineOf = ({ value, label }: Option) => `${value} – ${label}`

/** The question as the customer gets it, a wrong answer, and a grade with its thanks. */
export const RatingPreview = ({ settings }: { settings: RatingSettings }) => {
  const [way, setWay] = useState('pressed')
  const { question, options, retry, thanks } = settings
  const [best] = options
  const isTyped = way === 'typed' || options.length > 10
  return (
    <section className={classes.preview} aria-label="O que o cliente recebe">
      <div className={classes.head}>
        <h2 className={classes.title}>O que o cliente recebe</h2>
        <SegmentedControl
          size="xs"
          aria-label="Tipo de canal"
          value={isTyped ? 'typed' : way}
          onChange={setWay}
          disabled={options.length > 10}
          data={[
            { value: 'pressed', label: 'Com botões' },
            { value: 'typed', label: 'Só texto' },
          ]}
        />
      </div>
      <div className={classes.talk}>
        <div className={classes.ours}>
          <UserText text={question || '…'} />
          {isTyped ? (
            <p className={classes.lines}>
              {options.map((one) => (
                <span key={one.value}>{lineOf(one)}</span>
              ))}
            </p>
          ) : (
            <ul className={classes.buttons}>
              {options.map((one) => (
                <li key={one.value}>{lineOf(one)}</li>
              ))}
            </ul>
          )}
        </div>
        {settings.attempts > 1 && retry && (
          <>
            <div className={classes.theirs}>Oi?</div>
            <div className={classes.ours}>
              <UserText text={retry} />
            </div>
          </>
        )}
        <div className={classes.theirs}>{best && (isTyped ? best.value : lineOf(best))}</div>
        {(best?.message || thanks) && (
          <div className={classes.ours}>
            <UserText text={best?.message || thanks} />
          </div>
        )}
      </div>
    </section>
  )
}
