/** Latitude and longitude out of "-23.55, -46.63" or a link of Google Maps or OpenStreetMap that carries its point. */
export const parsePlace = (text: string): { latitude: number; longitude: number } | null => {
  const found =
    /[?&]mlat=(-?\d+(?:\.\d+)?)&mlon=(-?\d+(?:\.\d+)?)/.exec(text) ??
    /#map=\d+(?:\.\d+)?\/(-?\d+(?:\.\d+)?)\/(-?\d+(?:\.\d+)?)/.exec(text) ??
    /!3d(-?\d+(?:\.\d+)?)!4d(-?\d+(?:\.\d+)?)/.exec(text) ??
    /[@=/](-?\d{1,2}(?:\.\d+)?),(?:\+|%20)?(-?\d{1,3}(?:\.\d+)?)/.exec(text) ??
    /^\s*(-?\d{1,2}(?:[.]\d+)?)\s*[,; ]\s*(-?\d{1,3}(?:[.]\d+)?)\s*$/.exec(text)
  if (!found) return null
  const [latitude, longitude] = [Number(found[1]), Number(found[2])]
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}
