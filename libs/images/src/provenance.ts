/**
 * IPTC digital source type: `algorithmicMedia` is made by code without training data, `trainedAlgorithmicMedia` by a
 * trained model.
 */
export type Provenance = 'algorithmicMedia' | 'trainedAlgorithmicMedia';

/** The XMP packet that names the kind of origin of an image. It contains nothing that varies between runs. */
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
