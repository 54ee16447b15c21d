/**
 * IPTC digital source type: `algorithmicMedia` was drawn by code that learnt from nothing,
 * `trainedAlgorithmicMedia` by a trained model.
 */
export type Provenance = 'algorithmicMedia' | 'trainedAlgorithmicMedia';

/** The XMP packet that says by which kind of machine an image was made. It holds nothing that varies between runs. */
export function provenanceXmp(provenance: Provenance): string {
  return [
    '<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?>',
    '<x:xmpmeta xmlns:x="adobe:ns:meta/">',
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">',
    '<rdf:Description rdf:about=""',
    ' xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"',
    ` Iptc4xmpExt:DigitalSourceType="http://cv.iptc.org/newscodes/digitalsourcetype/${provenance}"/>`,
    '</rdf:RDF>',
    '</x:xmpmeta>',
    '<?xpacket end="r"?>',
  ].join('');
}
