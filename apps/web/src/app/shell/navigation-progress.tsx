import { useNavigation } from 'react-router'
import { useLate } from '../../ui/use-late.ts'
import classes from './navigation-progress.module.css'

/** A thin line while the next screen's code arrives. */
export const NavigationProgress = () => {
  const late = useLate(useNavigation().state !== 'idle')
  return late ? <div className={classes.line} role="progressbar" aria-label="Carregando a tela" /> : null
}
