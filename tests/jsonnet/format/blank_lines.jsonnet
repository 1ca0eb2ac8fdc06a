


// first



local a = 1;



local b = 2;




{



  a: 1,



  // comment



  b: 2,


  c: [


    1,




    2,


  ],



}




// last



