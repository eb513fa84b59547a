import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Brand, BrandMark } from '../../../ui/brand.tsx'
import classes from './account-frame.module.css'

type Props = { title: string; lead?: ReactNode; children: ReactNode; foot?: ReactNode }

/** The frame of every screen before the login: what the product is at the left, one form at the right. */
export const AccountFrame = ({ title, lead, children, foot }: Props) => (
  <div className={classes.frame}>
    <aside className={classes.side} aria-hidden>
      <div className={classes.sideBrand}>
        <BrandMark size={30} />
        <span>Balcão</span>
      </div>
      <div className={classes.talk}>
        <div className={classes.theirs}>Oi! Meu pedido chega hoje?</div>
        <div className={classes.ours}>Oi, Marina! Chega sim, entre 14 h e 18 h.</div>
        <div className={classes.theirs}>Que rapidez, obrigada 💚</div>
      </div>
      <p className={classes.promise}>Todas as conversas da sua empresa, em um só lugar.</p>
    </aside>
    <main className={classes.main}>
      <div className={classes.box}>
        <div className={classes.smallBrand}>
          <Brand />
        </div>
        <Title order={1} fz={22}>
          {title}
        </Title>
        {lead && (
          <Text c="dimmed" mt={4}>
            {lead}
          </Text>
        )}
        <div className={classes.body}>{children}</div>
        {foot && <div className={classes.foot}>{foot}</div>}
      </div>
    </main>
  </div>
)
